"""Search by meaning in Milvus: a file by default (the extra `milvus`), a server or a cluster by its address."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import Any

from ctxcore.errors import CtxError, InputError
from ctxcore.retrieving.embedding import EmbeddingRetriever
from ctxcore.services import Embedder, Hit

SECONDS = 10.0  # for each call
BATCH = 1_000  # vectors sent at once
_LOCK = Lock()


class RetrieverError(CtxError):
    """The vector store does not answer, or not as it should."""


class MilvusRetriever(EmbeddingRetriever):
    """One collection for each set of texts and model: it is filled once, and found again after a restart.

    `uri`: a path that ends in .db, or such as http://host:19530.
    """

    def __init__(self, embedder: Embedder, uri: str, token: str = "") -> None:
        super().__init__(embedder)
        if not find_spec("pymilvus"):
            raise InputError("milvus-missing", uri=uri)
        self.uri, self._token = uri, token

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        """Raises RetrieverError, ModelError or NotEmbeddedError."""
        if not query.strip() or not texts or k <= 0:
            return ()
        wanted = self.embedder.embed([query], query=True)[0]
        try:
            return self._search(wanted.tolist(), tuple(texts), k)
        except CtxError:
            raise
        except Exception as cause:  # the client's errors are of many kinds
            raise RetrieverError("milvus-fault", uri=self.uri, says=_line(cause)) from cause

    def _search(self, wanted: list[float], texts: tuple[str, ...], k: int) -> tuple[Hit, ...]:
        client = _client(self.uri, self._token)
        name = self._filled(client, texts, len(wanted))
        most = min(k, len(texts), 16_384)
        found = client.search(
            name, data=[wanted], limit=most, search_params={"metric_type": "COSINE"}, timeout=SECONDS
        )[0]
        hits = (Hit(int(one["id"]), float(one["distance"])) for one in found)
        return tuple(sorted((hit for hit in hits if hit.score > 0), key=lambda hit: (-hit.score, hit.index)))

    def _filled(self, client: Any, texts: tuple[str, ...], size: int) -> str:
        """The name of the collection that holds these texts' vectors; ids are their places."""
        name = _name(self.embedder.fingerprint.partition(",known=")[0], texts)
        with _LOCK:
            if client.has_collection(name, timeout=SECONDS) and _rows(client, name) == len(texts):
                client.load_collection(name, timeout=SECONDS)
                return name
            rows = self.embedder.embed(texts)
            if client.has_collection(name, timeout=SECONDS):  # it was left half filled
                client.drop_collection(name, timeout=SECONDS)
            client.create_collection(
                name, dimension=size, metric_type="COSINE", consistency_level="Strong", timeout=SECONDS
            )
            for start in range(0, len(rows), BATCH):
                part = rows[start : start + BATCH]
                data = [{"id": start + at, "vector": row.tolist()} for at, row in enumerate(part)]
                client.insert(name, data, timeout=SECONDS)
            client.flush(name, timeout=SECONDS)  # what lies unflushed in a file is searched twenty times slower
            client.load_collection(name, timeout=SECONDS)
        return name


def forget(uri: str, fingerprint: str, texts: Sequence[str]) -> None:
    """Drops the collection of these texts, if there is one."""
    client = _client(uri, "")
    name = _name(fingerprint, tuple(texts))
    if client.has_collection(name, timeout=SECONDS):
        client.drop_collection(name, timeout=SECONDS)


@lru_cache(maxsize=8)
def _client(uri: str, token: str) -> Any:
    """One for each address: the embedded file lets nobody else in."""
    from pymilvus import MilvusClient

    return MilvusClient(uri, token=token, timeout=SECONDS)


def _rows(client: Any, name: str) -> int:
    with suppress(Exception):
        found = client.query(name, filter="", output_fields=["count(*)"], timeout=SECONDS)
        return int(found[0]["count(*)"])
    return -1


@lru_cache(maxsize=64)
def _name(fingerprint: str, texts: tuple[str, ...]) -> str:
    digest = hashlib.blake2b(fingerprint.encode(), digest_size=16)
    for text in texts:
        digest.update(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())
    return f"ctx_{digest.hexdigest()}"


def _line(cause: Exception) -> str:
    return " ".join(str(getattr(cause, "message", "") or cause).split())[:200]
