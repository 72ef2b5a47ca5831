"""The tables, and how an older database becomes today's.

A migration is never edited once released: a change is a new function at the end of MIGRATIONS.
"""

from __future__ import annotations

import sqlalchemy as sa

from ui.store.engine import alone
from ui.store.errors import StoreError

tables = sa.MetaData()

schema_version = sa.Table("schema_version", tables, sa.Column("version", sa.Integer, primary_key=True))

workspaces = sa.Table(
    "workspaces",
    tables,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("rev", sa.Integer, nullable=False),  # grows by one with each save; a save must name the one it read
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("scenario_rev", sa.String(64), nullable=False),  # "" while the scenario is a built-in one
    sa.Column("updated", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("parent", sa.String(40), nullable=False, server_default="", index=True),  # what it is a copy of, or ""
)

revisions = sa.Table(
    "revisions",
    tables,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),  # hash of the content: the same scenario is the same revision
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("skeleton", sa.JSON, nullable=False),  # ui/store/pieces.py
    sa.Column("refs", sa.LargeBinary, nullable=False),  # hashes of its blobs, end to end, in order
)

blobs = sa.Table(
    "blobs",
    tables,
    sa.Column("owner", sa.String(64), primary_key=True),  # so that one owner's texts can be taken out whole
    sa.Column("hash", sa.LargeBinary(20), primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),  # short ones as they are, others by zlib
)

things = sa.Table(  # whatever is kept under a name: presets, pipelines, curves, …
    "things",
    tables,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(40), primary_key=True),
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("rev", sa.Integer, nullable=False),  # grows by one with each change
    sa.Column("body", sa.JSON, nullable=False),
    sa.Column("tags", sa.JSON, nullable=False),  # a list of words
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("updated", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("trashed", sa.Float, nullable=True),  # when it was thrown away; NULL = it was not
)

shares = sa.Table(  # views that a link names, as they were when the link was made
    "shares",
    tables,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("created", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("body", sa.JSON, nullable=False),
)


def _first_tables(connection: sa.Connection) -> None:
    tables.create_all(connection)


def _table_of_things(connection: sa.Connection) -> None:
    things.create(connection, checkfirst=True)  # a new database has it from the first step


def _copies_and_shares(connection: sa.Connection) -> None:
    shares.create(connection, checkfirst=True)
    if "parent" not in {column["name"] for column in sa.inspect(connection).get_columns("workspaces")}:
        connection.execute(sa.text("ALTER TABLE workspaces ADD COLUMN parent VARCHAR(40) NOT NULL DEFAULT ''"))
        connection.execute(sa.text("CREATE INDEX ix_workspaces_parent ON workspaces (parent)"))


MIGRATIONS = (_first_tables, _table_of_things, _copies_and_shares)


def migrate(connection: sa.Connection) -> None:
    """Brings the database to the newest version, inside the caller's transaction.

    Raises StoreError if a newer ctxcore has written it.
    """
    alone(connection)  # several servers may start at once
    schema_version.create(connection, checkfirst=True)
    found = connection.scalar(sa.select(sa.func.max(schema_version.c.version))) or 0
    if found > len(MIGRATIONS):
        raise StoreError("db-newer", found=found, known=len(MIGRATIONS))
    for number, step in enumerate(MIGRATIONS[found:], start=found + 1):
        step(connection)
        connection.execute(schema_version.insert().values(version=number))
