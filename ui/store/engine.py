"""One engine a database: SQLite, set up so that a killed process loses nothing and two tabs can write; PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.pool import StaticPool

BUSY_MS = 3_000  # how long a write waits for another one
PATIENCE = 5  # seconds until a server must answer
PLAIN = ("postgres", "postgresql")  # an address that names no driver
DRIVER = "postgresql+psycopg"
UNIQUE: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def make_engine(url: str) -> sa.Engine:
    # what hosts hand out begins with postgres://, which SQLAlchemy does not know
    parsed = sa.make_url(url.replace("postgres://", f"{DRIVER}://", 1) if url.startswith("postgres://") else url)
    if parsed.drivername in PLAIN:
        parsed = parsed.set(drivername=DRIVER)
    if parsed.get_backend_name() == "postgresql":
        return sa.create_engine(parsed, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE})
    if parsed.get_backend_name() != "sqlite":
        return sa.create_engine(parsed, pool_pre_ping=True)
    # A database in memory lives as long as its one connection.
    pool: dict[str, Any] = {"poolclass": StaticPool} if parsed.database in (None, "", ":memory:") else {}
    engine = sa.create_engine(parsed, connect_args={"check_same_thread": False}, **pool)
    sa.event.listen(engine, "connect", _set_up)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _set_up(connection: Any, record: Any) -> None:
    connection.isolation_level = None  # the driver's own BEGIN comes too late for BEGIN IMMEDIATE
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten with zeros
    cursor.execute("PRAGMA synchronous = NORMAL")  # with WAL: safe against kill -9; no fsync on every slider move
    cursor.close()


def forget_log(engine: sa.Engine) -> None:
    """Empties the log that SQLite writes ahead: until then it holds what was deleted as well."""
    if engine.url.get_backend_name() == "sqlite":
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            raw.close()


def _begin(connection: sa.Connection) -> None:
    # A transaction that reads first and writes later would fail at once, without waiting, if another wrote meanwhile.
    reads = connection.get_execution_options().get("reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def insert_new(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Those whose key is there already stay as they are, also if another server wrote them a moment ago."""
    insert = UNIQUE.get(connection.dialect.name)
    connection.execute(insert(table).on_conflict_do_nothing() if insert else table.insert(), rows)


def alone(connection: sa.Connection) -> None:
    """Until the transaction ends, no other server changes the tables. SQLite's writers are alone as it is."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("select pg_advisory_xact_lock(7275726)"))
