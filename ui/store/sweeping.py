"""When something is erased for good, the texts that it named go too, unless anything else of the owner names them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from ui.store import pieces
from ui.store.schema import blobs, revisions, shares, things, workspaces

ADDRESS = re.compile(r"\b[0-9a-f]{40}\b")  # of a revision or a text, wherever in JSON it stands
HOLDERS = ((workspaces, workspaces.c.settings), (things, things.c.body), (shares, shares.c.body))


def sweep(connection: sa.Connection, owner: str, erased: Mapping[str, Any]) -> None:
    """`erased`: the body that is gone. Only what it named is looked at: what somebody stores right now is safe."""
    named = addresses(erased)
    if not named:
        return
    still = set[str]().union(*(addresses(body) for body in _bodies(connection, owner)))
    mine = sa.select(revisions.c.id, revisions.c.refs).where(revisions.c.owner == owner)
    refs = {row.id: pieces.split_refs(row.refs) for row in connection.execute(mine)}
    gone = {one for one in named - still if one in refs}
    loose = {bytes.fromhex(one) for one in named - still - gone} | {ref for one in gone for ref in refs[one]}
    loose -= {ref for one, kept in refs.items() if one not in gone for ref in kept} | set(map(bytes.fromhex, still))
    for table, key, keys in ((revisions, revisions.c.id, gone), (blobs, blobs.c.hash, loose)):
        connection.execute(table.delete().where(table.c.owner == owner, key == sa.bindparam("key")), _rows(keys))


def addresses(body: Any) -> set[str]:
    return set(ADDRESS.findall(json.dumps(body)))


def _bodies(connection: sa.Connection, owner: str) -> Iterator[Any]:
    for table, column in HOLDERS:
        yield from connection.scalars(sa.select(column).where(table.c.owner == owner))


def _rows(keys: set[Any]) -> list[dict[str, Any]]:
    """One at least: an empty list would run the statement without a key."""
    return [{"key": key} for key in keys] or [{"key": None}]
