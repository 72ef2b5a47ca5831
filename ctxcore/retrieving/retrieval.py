"""Keyword search over texts: BM25 on our own terms, so that Chinese and identifiers are found as well as English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from ctxcore.fingerprint import Fingerprinted
from ctxcore.retrieving.terms import terms
from ctxcore.services import Hit, Retriever

if TYPE_CHECKING:
    import numpy as np

    Scores = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class BM25Retriever(Fingerprinted):
    """Finds texts that share words with the query; a paraphrase without a common word is not found."""

    trusted: ClassVar[bool] = True
    name: ClassVar[str] = "bm25"
    k1: float = 1.2
    b: float = 0.75

    scale = "BM25: 0 = no word in common, no upper end; compare scores within one search only"
    threshold = None

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        wanted = terms(query)
        if not wanted or not texts or k <= 0:
            return ()
        scores = self.index(texts).scores(wanted)
        order = (-scores).argsort(kind="stable")[:k]
        return tuple(Hit(int(at), float(scores[at])) for at in order if scores[at] > 0)

    def index(self, texts: Sequence[str]) -> Index:
        """Made once for the same texts."""
        return _index(tuple(texts), self.k1, self.b)


@dataclass(frozen=True, slots=True)
class Relevances:
    """0–1 for each text; 0 where nothing matches."""

    scores: tuple[float, ...]
    threshold: float | None  # the retriever's own; None where the scores are parts of the best one


def judged(query: str, texts: Sequence[str], retriever: Retriever) -> Relevances:
    hits = retriever.search(query, texts, len(texts))
    threshold = retriever.threshold
    best = 1.0 if threshold is not None else max((hit.score for hit in hits), default=0.0)
    found = [0.0] * len(texts)
    for hit in hits:
        found[hit.index] = min(1.0, hit.score / best) if best else 0.0
    return Relevances(tuple(found), threshold)


def relevances(query: str, texts: Sequence[str], retriever: Retriever | None = None) -> tuple[float, ...]:
    """0–1 for each text: its BM25 score as a part of the best among `texts`; or what another retriever gives."""
    return judged(query, texts, retriever or BM25Retriever()).scores


class Index:
    """BM25 over a fixed set of texts, each given as its terms."""

    def __init__(self, texts: Sequence[Sequence[str]], k1: float, b: float) -> None:
        import bm25s  # with numpy a tenth of a second: only who searches pays for it

        self._size = len(texts)
        self._bm25: Any = bm25s.BM25(k1=k1, b=b, method="lucene")
        self._empty = not any(texts)  # bm25s cannot index texts without a single term
        if not self._empty:
            self._bm25.index(texts, show_progress=False)

    def scores(self, wanted: Sequence[str]) -> Scores:
        """One score a text, in order."""
        import numpy as np

        known = [] if self._empty else self._bm25.get_tokens_ids(wanted)
        if not known:
            return np.zeros(self._size, dtype=np.float32)
        scores: Scores = self._bm25.get_scores_from_ids(known)
        return scores


@lru_cache(maxsize=16)
def _index(texts: tuple[str, ...], k1: float, b: float) -> Index:
    return Index([terms(text) for text in texts], k1, b)
