"""Scenarios and texts as rows: every function works inside the caller's transaction."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from ui.store import pieces
from ui.store.engine import insert_new
from ui.store.errors import DamagedError
from ui.store.schema import blobs, revisions

BATCH = 500  # bound parameters a statement; SQLite once allowed 999


def put_scenario(connection: sa.Connection, owner: str, scenario: Mapping[str, Any]) -> str:
    """The revision's id, a hash of its content: putting the same scenario again changes nothing."""
    skeleton, bodies = pieces.take_apart(scenario)
    hashes = [pieces.digest(body) for body in bodies]
    refs, revision = b"".join(hashes), pieces.address(skeleton, hashes)
    known = sa.select(revisions.c.id).where(revisions.c.owner == owner, revisions.c.id == revision)
    if connection.scalar(known) is None:
        put_blobs(connection, owner, dict(zip(hashes, bodies, strict=True)))
        row = {"owner": owner, "id": revision, "skeleton": skeleton, "refs": refs, "created": time.time()}
        insert_new(connection, revisions, [{**row, "name": pieces.column(str(scenario.get("name", "")))}])
    return revision


def get_scenario(connection: sa.Connection, owner: str, revision: str) -> dict[str, Any] | None:
    row = _revision(connection, owner, revision)
    if row is None:
        return None
    hashes = pieces.split_refs(row.refs)
    found = get_blobs(connection, owner, hashes)
    return pieces.put_together(row.skeleton, [found[each] for each in hashes])


def put_blobs(connection: sa.Connection, owner: str, bodies: Mapping[bytes, bytes]) -> None:
    """Stores those that are new."""
    known = {each for each, _ in _rows(connection, owner, list(bodies), blobs.c.hash, blobs.c.hash)}
    new = sorted(bodies.keys() - known)  # in one order for all: two writers that wait for each other would never end
    if new:
        rows = [{"owner": owner, "hash": key, "body": pieces.pack(bodies[key])} for key in new]
        insert_new(connection, blobs, rows)


def get_blobs(connection: sa.Connection, owner: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    """Raises DamagedError if one is missing, or is not what its hash says."""
    found = {key: pieces.unpack(body) for key, body in _rows(connection, owner, hashes, blobs.c.hash, blobs.c.body)}
    damaged = [each.hex() for each in hashes if each not in found or pieces.digest(found[each]) != each]
    if damaged:
        raise DamagedError("db-texts", count=len(damaged), of=len(hashes), first=damaged[0])
    return found


def copy(connection: sa.Connection, revision: str, texts: Iterable[bytes], owners: tuple[str, str]) -> None:
    """Gives the second owner what the first one has: a revision ("" for none) and the texts of edits."""
    source, target = owners
    wanted = list(texts)
    row = _revision(connection, source, revision) if revision else None
    if row is not None:
        wanted += pieces.split_refs(row.refs)
    put_blobs(connection, target, get_blobs(connection, source, wanted))
    if row is not None and _revision(connection, target, revision) is None:
        insert_new(connection, revisions, [{**row._mapping, "owner": target}])


def _revision(connection: sa.Connection, owner: str, revision: str) -> sa.Row[Any] | None:
    where = sa.select(revisions).where(revisions.c.owner == owner, revisions.c.id == revision)
    return connection.execute(where).one_or_none()


def _rows(
    connection: sa.Connection, owner: str, hashes: Sequence[bytes], *columns: sa.Column[Any]
) -> Iterator[sa.Row[Any]]:
    unique = list(dict.fromkeys(hashes))
    for start in range(0, len(unique), BATCH):
        here = blobs.c.hash.in_(unique[start : start + BATCH])
        yield from connection.execute(sa.select(*columns).where(blobs.c.owner == owner, here))
