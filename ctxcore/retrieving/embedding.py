"""Search by meaning: the vectors of a question and of texts, compared one by one. Exact, and quick up to 100,000."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxcore.model.replies import ModelError
from ctxcore.services import Embedder, Hit

if TYPE_CHECKING:
    from ctxcore.services import Vectors


class EmbeddingRetriever:
    """Raises what the embedder raises: under watch, a build goes on with the search for words."""

    name = "embedding"
    scale = "cosine of embeddings: 1 = the same meaning; what counts as near differs by model"
    patience: float | None = None  # the endpoint keeps times of its own

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    @property
    def threshold(self) -> float:
        return self.embedder.threshold

    @property
    def fingerprint(self) -> str:
        return f"{type(self).__name__}@1({self.embedder.fingerprint})"

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        """Texts that point away from the question are left out. Raises ModelError or NotEmbeddedError."""
        if not query.strip() or not texts or k <= 0:
            return ()
        rows = self.embedder.embed(texts)
        return near(self.embedder.embed([query], query=True)[0], rows, k)


def near(wanted: Vectors, rows: Vectors, k: int) -> tuple[Hit, ...]:
    if rows.shape[1] != wanted.shape[0]:
        raise ModelError("malformed", "vectors-question")
    scores = rows @ wanted
    order = (-scores).argsort(kind="stable")[:k]
    return tuple(Hit(int(at), float(scores[at])) for at in order if scores[at] > 0)
