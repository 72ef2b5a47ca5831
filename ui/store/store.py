"""Workspaces, scenario revisions and the texts of edits in one SQL database."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from platformdirs import user_data_path
from sqlalchemy.exc import IntegrityError

from ui.store import pieces, revisions, shelf
from ui.store.engine import forget_log, make_engine
from ui.store.errors import ConflictError, told
from ui.store.schema import migrate, workspaces
from ui.store.shelf import Thing


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


class Store:
    """Raises StoreError where the database does not answer; ui/store/fallback.py catches that."""

    def __init__(self, url: str) -> None:
        with told(url.rpartition("@")[2]):  # never the password
            parsed = sa.make_url(url)
            self.where = parsed.database or ":memory:"
            if parsed.get_backend_name() == "sqlite" and not self.where.startswith((":memory:", "file:")):
                Path(self.where).parent.mkdir(parents=True, exist_ok=True)
            self._engine = make_engine(url)
        with self._writing() as connection:
            migrate(connection)

    def load(self, workspace: str) -> Saved | None:
        return self._saved(workspaces.c.id == workspace)

    def latest(self, owner: str) -> Saved | None:
        """The workspace that this owner changed last."""
        return self._saved(workspaces.c.owner == owner)

    def save(self, saved: Saved) -> int:
        """The new rev. Raises ConflictError if somebody saved since `saved.rev` was read."""
        values = {"settings": dict(saved.settings), "scenario_rev": saved.scenario_rev, "updated": time.time()}
        mine = (workspaces.c.id == saved.id, workspaces.c.owner == saved.owner, workspaces.c.rev == saved.rev)
        change = workspaces.update().where(*mine).values(rev=saved.rev + 1, **values)
        first = workspaces.insert().values(id=saved.id, owner=saved.owner, rev=1, **values)
        with self._writing() as connection:
            try:
                done = connection.execute(change if saved.rev else first).rowcount
            except IntegrityError:  # a first save under an id that is taken
                done = 0
            if not done:
                raise ConflictError("This workspace was changed in another tab meanwhile.")
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

    def erase(self, owner: str, kind: str, name: str) -> None:
        """For good: the words are in the database's files no more."""
        with self._writing() as connection:
            shelf.erase(connection, owner, kind, name)
        with told(self.where):
            forget_log(self._engine)

    def close(self) -> None:
        self._engine.dispose()

    def _saved(self, where: sa.ColumnElement[bool]) -> Saved | None:
        newest = sa.select(workspaces).where(where).order_by(workspaces.c.updated.desc()).limit(1)
        with self._reading() as connection:
            row = connection.execute(newest).one_or_none()
        return row and Saved(row.id, row.owner, row.rev, row.settings, row.scenario_rev)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        with told(self.where), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with told(self.where), self._engine.connect().execution_options(reads=True) as connection:
            yield connection
