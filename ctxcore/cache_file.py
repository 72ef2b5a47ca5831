"""A file of the user's cache: SQLite, as Python brings it. Threads and processes may write, and a cut-off write leaves
no half of anything. Nothing raises: a file that fails is given up, and all works without it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

PATIENCE = 2.0  # seconds for which another process may hold the file
VARIABLE = "CTXCORE_CACHE"  # the file of the answers, beside which the others lie; or off
Statement = tuple[str, tuple[Any, ...]]


class CacheFile:
    """`path` None: nothing is kept. `fault` says why the file was given up, "" while it works."""

    def __init__(self, path: Path | None, schema: str) -> None:
        self.path, self.fault = path, ""
        self._schema, self._lock = schema, Lock()
        self._connection: sqlite3.Connection | None = None

    def run(self, *statements: Statement, rows: tuple[str, Iterable[tuple[Any, ...]]] | None = None) -> list[Any]:
        """What all of them give; before them, `rows` are written by one statement. All of it happens, or nothing."""
        if self.path is None or self.fault:
            return []
        with self._lock:
            try:
                opened = self._connection = self._connection or self._opened(self.path)
                with opened:
                    if rows:
                        opened.executemany(*rows)
                    return [row for text, given in statements for row in opened.execute(text, given).fetchall()]
            except (sqlite3.Error, OSError, ValueError) as cause:
                self.fault = f"{self.path}: {cause}"
                return []

    def _opened(self, path: Path) -> sqlite3.Connection:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        opened = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False)
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("PRAGMA synchronous = NORMAL")
        opened.executescript(self._schema)
        if is_new:
            with suppress(OSError):
                path.chmod(0o600)  # what was made of texts is as private as they are
        return opened


def cache_path(name: str, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Where the file of that name lies: in the folder of the one that CTXCORE_CACHE names, or in the user's cache
    folder; None where it says off."""
    from platformdirs import user_cache_path

    named = environ.get(VARIABLE, "").strip()
    if named.lower() in ("off", "none", "0"):
        return None
    return Path(named).expanduser().with_name(name) if named else user_cache_path("ctxcore", appauthor=False) / name
