"""Links: a view as it was when somebody shared it, under a short id. Whoever knows the id may open it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ui.store import pieces
from ui.store.schema import shares

ID_BYTES = 9  # 12 characters of an address: nobody guesses one


@dataclass(frozen=True, slots=True)
class Share:
    id: str
    owner: str  # whose texts it names
    body: Mapping[str, Any]


def put(connection: sa.Connection, owner: str, body: Mapping[str, Any]) -> str:
    """The id; the same view of the same owner has the same link."""
    mine = sa.select(shares.c.id, shares.c.body).where(shares.c.owner == owner).order_by(shares.c.created.desc())
    for row in connection.execute(mine.limit(50)):
        if row.body == dict(body):
            return str(row.id)
    id = secrets.token_urlsafe(ID_BYTES)
    connection.execute(shares.insert().values(id=id, owner=owner, created=time.time(), body=dict(body)))
    return id


def get(connection: sa.Connection, id: str) -> Share | None:
    row = connection.execute(sa.select(shares).where(shares.c.id == pieces.column(id))).one_or_none()
    return row and Share(row.id, row.owner, row.body)
