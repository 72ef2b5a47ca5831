"""Vectors remembered by content and model: a text is embedded once, and after a restart not again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from ctxcore.errors import CtxError
from ctxcore.memo import Memo, Rate
from ctxcore.services import Embedder

if TYPE_CHECKING:
    from ctxcore.services import Vectors

T = TypeVar("T")
MOST = 200_000  # vectors on disk; beyond that the oldest tenth goes
ASKED = 500  # keys in one statement


class NotEmbeddedError(CtxError):
    """Texts that a model would have to be asked for, by one that may not ask."""

    def __init__(self, texts: int) -> None:
        super().__init__(f"{texts} texts have no vectors yet: embed them on the page Knowledge.")
        self.texts = texts


class VectorStore:
    """In memory, and in a file where one is named. A file that cannot be used is done without."""

    def __init__(self, file: Path | None = None) -> None:
        self.rate, self.written = Rate(), 0
        self._memory: Memo[str, bytes] = Memo(64_000_000)
        self._file, self._lock = file, Lock()

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        found = {key: kept for key in keys if (kept := self._memory.get(key, 0)) is not None}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        if missing and self._file:
            for key, vector in self._read(missing):
                found[key] = vector
                self._memory.put(key, vector, len(vector))
        self.rate.asked += len(keys)
        self.rate.found += sum(key in found for key in keys)
        return found

    def put(self, vectors: Mapping[str, bytes]) -> None:
        for key, vector in vectors.items():
            self._memory.put(key, vector, len(vector))
        self.written += len(vectors)
        self._use(lambda database: _write(database, vectors))

    def _read(self, keys: Sequence[str]) -> list[tuple[str, bytes]]:
        parts = (keys[start : start + ASKED] for start in range(0, len(keys), ASKED))
        return [row for part in parts for row in self._use(lambda database, part=part: _rows(database, part)) or ()]  # type: ignore[misc]

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """None where there is no file, or it fails: that costs time and nothing else."""
        if self._file is None:
            return None
        try:
            with self._lock:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with closing(sqlite3.connect(self._file, timeout=3)) as database, database:
                    database.execute("create table if not exists vectors (key text primary key, vector blob not null)")
                    return work(database)
        except (sqlite3.Error, OSError):
            self._file = None
            return None


def _rows(database: sqlite3.Connection, keys: Sequence[str]) -> list[tuple[str, bytes]]:
    marks = ",".join("?" * len(keys))
    return database.execute(f"select key, vector from vectors where key in ({marks})", keys).fetchall()


def _write(database: sqlite3.Connection, vectors: Mapping[str, bytes]) -> None:
    database.executemany("insert or ignore into vectors (key, vector) values (?, ?)", vectors.items())
    (many,) = database.execute("select count(*) from vectors").fetchone()
    if many > MOST:
        oldest = "select rowid from vectors order by rowid limit ?"
        database.execute(f"delete from vectors where rowid in ({oldest})", (many - MOST + MOST // 10,))


class Remembering:
    """An Embedder that asks another one only for what is not known; `live` false: never."""

    def __init__(self, embedder: Embedder, store: VectorStore, *, live: bool = True) -> None:
        self.embedder, self.store, self.live = embedder, store, live

    @property
    def threshold(self) -> float:
        return self.embedder.threshold

    @property
    def fingerprint(self) -> str:
        """One that may not ask finds more as vectors come in: what was built before is no longer what would be."""
        return self.embedder.fingerprint if self.live else f"{self.embedder.fingerprint},known={self.store.written}"

    def missing(self, texts: Sequence[str], *, query: bool = False) -> list[str]:
        """The texts whose vectors are not known."""
        keys = [self._key(text, query) for text in texts]
        known = self.store.get(keys)
        return list(dict.fromkeys(text for text, key in zip(texts, keys, strict=True) if key not in known))

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """Raises ModelError or NotEmbeddedError."""
        import numpy as np

        keys = [self._key(text, query) for text in texts]
        known = self.store.get(keys)
        new = {key: text for text, key in zip(texts, keys, strict=True) if key not in known}
        if new and not self.live:
            raise NotEmbeddedError(len(new))
        if new:
            rows = self.embedder.embed(list(new.values()), query=query)
            fresh = {key: row.astype(np.float32).tobytes() for key, row in zip(new, rows, strict=True)}
            self.store.put(fresh)
            known |= fresh
        if not keys:
            return np.zeros((0, 0), dtype=np.float32)
        return np.array([np.frombuffer(known[key], dtype=np.float32) for key in keys])

    def _key(self, text: str, query: bool) -> str:
        kind = "query" if query else "passage"
        body = f"{self.embedder.fingerprint}\0{kind}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(body, digest_size=20).hexdigest()


@lru_cache(maxsize=1)
def shared_vectors() -> VectorStore:
    """That of this user: the app and the command line know the same vectors."""
    from platformdirs import user_cache_path

    return VectorStore(user_cache_path("ctxcore", appauthor=False) / "vectors.db")
