"""What models answered, kept on disk: content-addressed, bounded, shared by the app and the command line.

SQLite, as Python brings it: several processes may write, a text is never more than a text (no pickles), and a cut-off
write leaves no half an answer. A file that cannot be used is told once, and everything works without it.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

CAPACITY = 64_000_000  # characters
LEFT = 0.8  # of the capacity, after the answers that were not asked for the longest have gone
PATIENCE = 2.0  # seconds for which another process may hold the file
VARIABLE = "CTXCORE_CACHE"  # a file; or off
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS tally (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
INSERT OR IGNORE INTO tally VALUES ('hits', 0), ('misses', 0), ('written', 0);
"""


@dataclass(frozen=True, slots=True)
class Statistics:
    """`hits`: answers that were found; `misses`: answers that a model had to be asked for; since the file was made."""

    entries: int = 0
    size: int = 0  # characters
    hits: int = 0
    misses: int = 0

    @property
    def rate(self) -> float | None:
        asked = self.hits + self.misses
        return self.hits / asked if asked else None


class Answers:
    """Thread-safe. No method raises: a file that fails is given up, and `fault` says why."""

    def __init__(self, path: Path | None, capacity: int = CAPACITY) -> None:
        self.path, self.capacity = path, capacity
        self.fault = ""
        self._file: sqlite3.Connection | None = None
        self._lock = Lock()

    def get(self, key: str) -> str | None:
        rows = self._run(("SELECT text FROM answers WHERE key = ?", (key,)))
        if not rows:
            return None
        self._run(("UPDATE answers SET used = ? WHERE key = ?", (time.time(), key)), _count("hits"))
        return str(rows[0][0])

    def put(self, key: str, text: str) -> None:
        size = len(text) + len(key)
        if size > self.capacity * LEFT:
            return
        row = (key, text, size, time.time())
        self._run(("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row), _count("written"), _count("misses"))
        if self.statistics().size > self.capacity:
            self._make_room()

    @property
    def written(self) -> int:
        """Grows with each answer that any process writes."""
        rows = self._run(("SELECT count FROM tally WHERE name = 'written'", ()))
        return int(rows[0][0]) if rows else 0

    def statistics(self) -> Statistics:
        rows = self._run(("SELECT COUNT(*), COALESCE(SUM(size), 0) FROM answers", ()))
        tally = dict(self._run(("SELECT name, count FROM tally", ())))
        entries, size = rows[0] if rows else (0, 0)
        return Statistics(entries, size, tally.get("hits", 0), tally.get("misses", 0))

    def clear(self) -> None:
        self._run(("DELETE FROM answers", ()), ("UPDATE tally SET count = 0 WHERE name <> 'written'", ()))

    def _make_room(self) -> None:
        """The answers that were not asked for the longest go."""
        gone = """DELETE FROM answers WHERE key IN (SELECT key FROM (
            SELECT key, SUM(size) OVER (ORDER BY used DESC, key) AS total FROM answers) WHERE total > ?)"""
        self._run((gone, (int(self.capacity * LEFT),)))

    def _run(self, *statements: tuple[str, tuple[Any, ...]]) -> list[Any]:
        """The rows of the last one; all of them happen, or none. Empty where the file cannot be used."""
        if self.path is None or self.fault:
            return []
        with self._lock:
            try:
                file = self._file = self._file or _opened(self.path)
                with file:
                    return [row for text, given in statements for row in file.execute(text, given).fetchall()]
            except (sqlite3.Error, OSError, ValueError) as cause:
                self.fault = f"{self.path}: {cause}"
                return []


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    file = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False)
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = NORMAL")
    file.executescript(SCHEMA)
    if is_new:
        with suppress(OSError):
            path.chmod(0o600)  # answers are as private as the texts
    return file


def _count(name: str) -> tuple[str, tuple[Any, ...]]:
    return "UPDATE tally SET count = count + 1 WHERE name = ?", (name,)


def answers_from_env(environ: Mapping[str, str] = os.environ) -> Answers:
    """The file that CTXCORE_CACHE names, or that of the user's cache folder; none where it says off."""
    named = environ.get(VARIABLE, "").strip()
    if named.lower() in ("off", "none", "0"):
        return Answers(None)
    return _shared(Path(named).expanduser() if named else _default())


def _default() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("ctxcore", appauthor=False) / "answers.sqlite"


@lru_cache(maxsize=8)
def _shared(path: Path) -> Answers:
    return Answers(path)
