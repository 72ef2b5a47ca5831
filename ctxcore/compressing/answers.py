"""What models answered, kept on disk: content-addressed, bounded, shared by the app and the command line.

A text is never more than a text (no pickles). A file that cannot be used is told once, and everything works without it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ctxcore.cache_file import VARIABLE, CacheFile, Statement, cache_path

CAPACITY = 64_000_000  # characters
LEFT = 0.8  # of the capacity, after the answers that were not asked for the longest have gone
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
        self.capacity, self._file = capacity, CacheFile(path, SCHEMA)
        self._run = self._file.run

    @property
    def path(self) -> Path | None:
        return self._file.path

    @property
    def fault(self) -> str:
        return self._file.fault

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


def _count(name: str) -> Statement:
    return "UPDATE tally SET count = count + 1 WHERE name = ?", (name,)


def answers_from_env(environ: Mapping[str, str] = os.environ) -> Answers:
    """The file that CTXCORE_CACHE names, or that of the user's cache folder; none where it says off."""
    name = Path(environ.get(VARIABLE, "").strip()).name or "answers.sqlite"
    return _shared(cache_path(name, environ))


@lru_cache(maxsize=8)
def _shared(path: Path | None) -> Answers:
    return Answers(path)
