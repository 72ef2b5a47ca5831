"""What is kept under a name: presets, pipelines, curves, knowledge bases. Names belong to an owner and a kind."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ui.store import pieces
from ui.store.errors import ConflictError
from ui.store.schema import things

LONGEST_NOTE = 10_000  # characters


@dataclass(frozen=True, slots=True)
class Thing:
    owner: str
    kind: str
    name: str
    body: Mapping[str, Any]
    rev: int = 0  # 0 = never kept
    tags: tuple[str, ...] = ()
    note: str = ""
    updated: float = 0.0  # seconds since 1970
    trashed: float | None = None


def keep(connection: sa.Connection, thing: Thing) -> int:
    """The new rev. One of that name in the trash stays there, under another name. Raises ConflictError if somebody kept
    it since `thing.rev` was read."""
    values = {"rev": thing.rev + 1, "body": dict(thing.body), "tags": list(thing.tags)}
    values |= {"note": pieces.column(thing.note, LONGEST_NOTE), "updated": time.time(), "trashed": None}
    key = {"owner": thing.owner, "kind": thing.kind, "name": pieces.column(thing.name)}
    read = (*_is(thing.owner, thing.kind, thing.name), things.c.rev == thing.rev)
    is_new = not thing.rev or _set_aside(connection, read, thing.name)
    change = things.insert().values(**key) if is_new else things.update().where(*read)
    try:
        done = connection.execute(change.values(**values)).rowcount
    except IntegrityError:  # of a new one, the name is taken
        done = 0
    if not done:
        raise ConflictError("changed-elsewhere", name=thing.name)
    return thing.rev + 1


def _set_aside(connection: sa.Connection, read: Any, name: str) -> bool:
    """Whether what was read lies in the trash: then it gets the time at which it was thrown away into its name."""
    trashed = connection.scalar(sa.select(things.c.trashed).where(*read))
    if trashed is None:
        return False
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(trashed))
    connection.execute(things.update().where(*read).values(name=pieces.column(f"{name[:150]} · {when}")))
    return True


def rename(connection: sa.Connection, owner: str, kind: str, name: str, new: str) -> None:
    """Raises ConflictError where the new name is taken, in the trash too."""
    try:
        connection.execute(things.update().where(*_is(owner, kind, name)).values(name=pieces.column(new)))
    except IntegrityError as error:
        raise ConflictError("name-taken", name=new) from error


def thing(connection: sa.Connection, owner: str, kind: str, name: str) -> Thing | None:
    row = connection.execute(sa.select(things).where(*_is(owner, kind, name))).one_or_none()
    return row and _read(row)


def all_things(connection: sa.Connection, owner: str, kind: str = "", trashed: bool = False) -> tuple[Thing, ...]:
    """The newest first; of one kind, or of all."""
    where = [things.c.owner == owner, things.c.trashed.is_not(None) if trashed else things.c.trashed.is_(None)]
    where += [things.c.kind == kind] if kind else []
    rows = connection.execute(sa.select(things).where(*where).order_by(things.c.updated.desc(), things.c.name))
    return tuple(map(_read, rows))


def throw_away(connection: sa.Connection, owner: str, kind: str, name: str) -> None:
    connection.execute(things.update().where(*_is(owner, kind, name)).values(trashed=time.time()))


def restore(connection: sa.Connection, owner: str, kind: str, name: str) -> None:
    connection.execute(things.update().where(*_is(owner, kind, name)).values(trashed=None))


def erase(connection: sa.Connection, owner: str, kind: str, name: str) -> None:
    connection.execute(things.delete().where(*_is(owner, kind, name)))


def _is(owner: str, kind: str, name: str) -> tuple[sa.ColumnElement[bool], ...]:
    return things.c.owner == owner, things.c.kind == kind, things.c.name == pieces.column(name)


def _read(row: Any) -> Thing:
    return Thing(row.owner, row.kind, row.name, row.body, row.rev, tuple(row.tags), row.note, row.updated, row.trashed)
