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
from ctxcore.words import Phrase


class StoreError(CtxError): ...


class ConflictError(StoreError): ...


class DamagedError(StoreError): ...


# Part of SQLite's own message -> what it means for the user. The first that fits is taken.
REMEDIES = (
    ("locked", Phrase("db-locked")),
    ("busy", Phrase("db-locked")),
    ("readonly", Phrase("db-readonly")),
    ("full", Phrase("db-full")),
    ("unable to open", Phrase("db-unopened")),
    ("malformed", Phrase("db-malformed")),
    ("not a database", Phrase("db-other")),
    ("authentication failed", Phrase("db-refused")),
    ("no password supplied", Phrase("db-no-password")),
    ("does not exist", Phrase("db-missing")),
    ("permission denied", Phrase("db-denied")),
    ("too many", Phrase("db-many")),
    ("connection refused", Phrase("db-nobody")),
    ("connection failed", Phrase("db-nobody")),
    ("timeout", Phrase("db-late")),
    ("terminat", Phrase("db-closed")),
    ("disk i/o", Phrase("db-disk")),
)


@contextmanager
def told(where: str) -> Iterator[None]:
    """Turns what SQLAlchemy raises into a StoreError that names the database and the remedy."""
    try:
        yield
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError("db-address", error=error) from error
    except ImportError as error:
        raise StoreError("db-driver", where=where, name=error.name) from error
    except SQLAlchemyError as error:
        raise StoreError("db-fault", where=where, says=_meaning(error)) from error
    except OSError as error:
        raise StoreError("db-os", where=where, reason=error.strerror) from error


def _meaning(error: SQLAlchemyError) -> str:
    cause = str(error.orig if isinstance(error, DBAPIError) else error)
    lowered = cause.lower()
    found = next((remedy for part, remedy in REMEDIES if part in lowered), None)
    return found or cause.splitlines()[0].rstrip(".")
