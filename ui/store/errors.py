"""What can go wrong with a database, said in one line each, with the remedy.

* CtxError
  + StoreError         the database cannot be opened, read or written
    - ConflictError    somebody saved the same workspace in between
    - DamagedError     a text that should be there is not, or is another one
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from ctxcore.errors import CtxError


class StoreError(CtxError): ...


class ConflictError(StoreError): ...


class DamagedError(StoreError): ...


# Part of SQLite's own message -> what it means for the user. The first that fits is taken.
REMEDIES = (
    ("locked", "it is locked by another program. Close what else has it open; the next change tries again"),
    ("busy", "it is locked by another program. Close what else has it open; the next change tries again"),
    ("readonly", "it is read-only. Give this user the right to write the file and its folder"),
    ("full", "the disk is full. Free some space; the next change tries again"),
    ("unable to open", "it cannot be opened. See that its folder exists and can be written"),
    ("malformed", "the file is damaged. Move it away and start again; a new one is made"),
    ("not a database", "the file is no database. Move it away and start again; a new one is made"),
    ("authentication failed", "the server refuses this user or password. See the address in CTXCORE_DATABASE_URL"),
    ("no password supplied", "the server wants a password. Put it into the address in CTXCORE_DATABASE_URL"),
    ("does not exist", "the server has no such database or user. Create it, or mend the address"),
    ("permission denied", "this user may not use its tables. Give it the right to create and change them"),
    ("too many", "the server has no connection left. Raise its max_connections, or run fewer app servers"),
    ("connection refused", "no server answers there. Start it, or mend the address; the next change tries again"),
    ("connection failed", "no server answers there. Start it, or mend the address; the next change tries again"),
    ("timeout", "the server does not answer in time. See that it runs; the next change tries again"),
    ("terminat", "the server closed the connection. The next change tries again"),
    ("disk i/o", "the disk reports an error. See that it is there and has space"),
)


@contextmanager
def told(where: str) -> Iterator[None]:
    """Turns what SQLAlchemy raises into a StoreError that names the database and the remedy."""
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError(f"CTXCORE_DATABASE_URL is no database address that can be used: {error}.") from error
    except ImportError as error:
        raise StoreError(
            f"Database {where}: {error.name} is not installed. For PostgreSQL: pip install ctxcore[postgresql]."
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(f"Database {where}: {_meaning(error)}.") from error
    except OSError as error:
        raise StoreError(
            f"Database {where}: {error.strerror}. See that its folder exists and can be written."
        ) from error


def _meaning(error: SQLAlchemyError) -> str:
    cause = str(error.orig if isinstance(error, DBAPIError) else error)
    lowered = cause.lower()
    return next((remedy for part, remedy in REMEDIES if part in lowered), cause.splitlines()[0].rstrip("."))
