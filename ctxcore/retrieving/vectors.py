"""Vectors remembered by content and model: a text is embedded once, and after a restart not again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ctxcore.cache_file import CacheFile, cache_path
from ctxcore.errors import CtxError
from ctxcore.memo import Memo, Rate
from ctxcore.services import Embedder

if TYPE_CHECKING:
    from ctxcore.services import Vectors

SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL);"
MOST = 200_000  # vectors on disk; beyond that the oldest tenth goes
ASKED = 500  # keys in one statement


class NotEmbeddedError(CtxError):
    """Texts that a model would have to be asked for, by one that may not ask."""

    def __init__(self, texts: int) -> None:
        super().__init__("not-embedded", texts=texts)
        self.texts = texts


class VectorStore:
    """In memory, and in a file where one is named. A file that cannot be used is done without."""

    def __init__(self, file: Path | None = None) -> None:
        self.rate, self.written = Rate(), 0
        self._memory: Memo[str, bytes] = Memo(64_000_000)
        self._file = CacheFile(file, SCHEMA)

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        found = {key: kept for key in keys if (kept := self._memory.get(key, 0)) is not None}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
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
        rows = self._file.run(
            ("SELECT COUNT(*) FROM vectors", ()),
            rows=("INSERT OR IGNORE INTO vectors (key, vector) VALUES (?, ?)", vectors.items()),
        )
        if rows and (many := rows[0][0]) > MOST:
            oldest = "SELECT rowid FROM vectors ORDER BY rowid LIMIT ?"
            self._file.run((f"DELETE FROM vectors WHERE rowid IN ({oldest})", (many - MOST + MOST // 10,)))

    def _read(self, keys: Sequence[str]) -> list[tuple[str, bytes]]:
        parts = [tuple(keys[start : start + ASKED]) for start in range(0, len(keys), ASKED)]
        return self._file.run(*(_asked(part) for part in parts))


def _asked(keys: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(keys))})", keys


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


def shared_vectors() -> VectorStore:
    """That of this user: the app and the command line know the same vectors."""
    return _shared(cache_path("vectors.sqlite"))


@lru_cache(maxsize=8)
def _shared(path: Path | None) -> VectorStore:
    return VectorStore(path)
