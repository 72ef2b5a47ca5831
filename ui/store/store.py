"""Workspaces, scenario revisions and the texts of edits in one SQL database."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from platformdirs import user_data_path
from sqlalchemy.exc import IntegrityError

from ui.store import pieces, revisions, shares, shelf
from ui.store.engine import forget_log, make_engine
from ui.store.errors import ConflictError, told
from ui.store.schema import migrate, workspaces
from ui.store.shares import Share
from ui.store.shelf import Thing
from ui.store.sweeping import sweep

MANY = 50  # workspaces in a list


def default_url() -> str:
    path = user_data_path("ctxcore", appauthor=False) / "ctxcore.db"
    return os.environ.get("CTXCORE_DATABASE_URL") or f"sqlite:///{path.as_posix()}"


@dataclass(frozen=True, slots=True)
class Saved:
    """A workspace as it lies in the store."""

    id: str
    owner: str
    rev: int  # 0 = never saved
    settings: Mapping[str, Any]
    scenario_rev: str = ""  # "" while the scenario is a built-in one
    parent: str = ""  # the workspace that it began as a copy of
    updated: float = field(default=0.0, compare=False)  # seconds since 1970; set by the store


class Store:
    """Raises StoreError where the database does not answer; ui/store/fallback.py catches that."""

    def __init__(self, url: str) -> None:
        with told(url.rpartition("@")[2]):  # never the password
            self._engine = make_engine(url)
            self.where = self._engine.url.database or ":memory:"
            if self._engine.dialect.name == "sqlite" and not self.where.startswith((":memory:", "file:")):
                Path(self.where).parent.mkdir(parents=True, exist_ok=True)
        with self._writing() as connection:
            migrate(connection)

    def load(self, workspace: str) -> Saved | None:
        return next(self._saved(workspaces.c.id == pieces.column(workspace)), None)

    def latest(self, owner: str) -> Saved | None:
        """The workspace that this owner changed last."""
        return next(self._saved(workspaces.c.owner == owner), None)

    def news(self, workspace: str) -> tuple[int, Mapping[str, str]]:
        """Its rev (0 = it is not there), and what began as a copy of it: id → owner. Asked in every run: no bodies."""
        with self._reading() as connection:
            rev = connection.scalar(sa.select(workspaces.c.rev).where(workspaces.c.id == workspace))
            copies = sa.select(workspaces.c.id, workspaces.c.owner).where(workspaces.c.parent == workspace).limit(MANY)
            return rev or 0, {row.id: row.owner for row in connection.execute(copies)}

    def recent(self, owner: str) -> tuple[Saved, ...]:
        """Workspaces of this owner, the one that was changed last first."""
        return tuple(self._saved(workspaces.c.owner == owner, most=MANY))

    def save(self, saved: Saved) -> int:
        """The new rev. Raises ConflictError if somebody saved since `saved.rev` was read."""
        values = {"settings": dict(saved.settings), "scenario_rev": saved.scenario_rev, "updated": time.time()}
        mine = (workspaces.c.id == saved.id, workspaces.c.owner == saved.owner, workspaces.c.rev == saved.rev)
        change = workspaces.update().where(*mine).values(rev=saved.rev + 1, **values)
        first = workspaces.insert().values(id=saved.id, owner=saved.owner, rev=1, parent=saved.parent, **values)
        with self._writing() as connection:
            try:
                done = connection.execute(change if saved.rev else first).rowcount
            except IntegrityError:  # a first save under an id that is taken
                done = 0
            if not done:
                raise ConflictError("changed-in-tab")
        return saved.rev + 1

    def put_scenario(self, owner: str, scenario: Mapping[str, Any]) -> str:
        """Stores what is new of a scenario's JSON; gives the revision's id."""
        with self._writing() as connection:
            return revisions.put_scenario(connection, owner, scenario)

    def scenario(self, owner: str, revision: str) -> dict[str, Any] | None:
        with self._reading() as connection:
            return revisions.get_scenario(connection, owner, revision)

    def put_text(self, owner: str, text: str) -> str:
        body = pieces.encode(text)
        with self._writing() as connection:
            revisions.put_blobs(connection, owner, {pieces.digest(body): body})
        return pieces.digest(body).hex()

    def text(self, owner: str, digest: str) -> str:
        key = bytes.fromhex(digest)
        with self._reading() as connection:
            return pieces.decode(revisions.get_blobs(connection, owner, [key])[key])

    def copy(self, revision: str, texts: Iterable[str], owners: tuple[str, str]) -> None:
        """Gives the second owner a revision ("" for none) and texts of the first."""
        with self._writing() as connection:
            revisions.copy(connection, revision, map(bytes.fromhex, texts), owners)

    def keep(self, thing: Thing) -> int:
        """The new rev. Raises ConflictError if somebody kept it since `thing.rev` was read."""
        with self._writing() as connection:
            return shelf.keep(connection, thing)

    def thing(self, owner: str, kind: str, name: str) -> Thing | None:
        with self._reading() as connection:
            return shelf.thing(connection, owner, kind, name)

    def things(self, owner: str, kind: str = "", trashed: bool = False) -> tuple[Thing, ...]:
        """The newest first; of one kind, or of all."""
        with self._reading() as connection:
            return shelf.all_things(connection, owner, kind, trashed)

    def throw_away(self, owner: str, kind: str, name: str) -> None:
        with self._writing() as connection:
            shelf.throw_away(connection, owner, kind, name)

    def restore(self, owner: str, kind: str, name: str) -> None:
        with self._writing() as connection:
            shelf.restore(connection, owner, kind, name)

    def rename(self, owner: str, kind: str, name: str, new: str) -> None:
        """Raises ConflictError where the new name is taken."""
        with self._writing() as connection:
            shelf.rename(connection, owner, kind, name, new)

    def erase(self, owner: str, kind: str, name: str) -> None:
        """For good: its words, and texts that nothing else names, are in the database's files no more."""
        with self._writing() as connection:
            there = shelf.thing(connection, owner, kind, name)
            shelf.erase(connection, owner, kind, name)
            sweep(connection, owner, there.body if there else {})
        with told(self.where):
            forget_log(self._engine)

    def share(self, owner: str, body: Mapping[str, Any]) -> str:
        """The id of a link to this view."""
        with self._writing() as connection:
            return shares.put(connection, owner, body)

    def shared(self, id: str) -> Share | None:
        with self._reading() as connection:
            return shares.get(connection, id)

    def close(self) -> None:
        self._engine.dispose()

    def _saved(self, where: sa.ColumnElement[bool], most: int = 1) -> Iterator[Saved]:
        newest = sa.select(workspaces).where(where).order_by(workspaces.c.updated.desc()).limit(most)
        with self._reading() as connection:
            rows = connection.execute(newest).all()
        return (
            Saved(row.id, row.owner, row.rev, row.settings, row.scenario_rev, row.parent, row.updated) for row in rows
        )

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with told(self.where), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with told(self.where), self._engine.connect().execution_options(reads=True) as connection:
            yield connection
