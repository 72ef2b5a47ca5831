"""Several retrievers as one: each hit counts by its rank, so that their scales need not agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ctxcore.errors import CtxError
from ctxcore.retrieving.telling import Tellings
from ctxcore.services import Hit, Retriever

SCALE = "rank fusion: the mean of {above} / ({k} + rank) over {n} retrievers; 1 = first in each"
K = 60  # Cormack, Clarke and Büttcher, SIGIR 2009
DEPTH = 100  # hits of each that are fused, at least


class HybridRetriever(Tellings):
    """Reciprocal rank fusion. Where one of the retrievers fails, the hits of the others count, and that is told."""

    name = "hybrid"
    patience: float | None = None  # they keep times of their own

    threshold = None

    def __init__(self, retrievers: Sequence[Retriever], k: int = K) -> None:
        super().__init__()
        self.retrievers, self.k = tuple(retrievers), k

    @property
    def scale(self) -> str:
        return SCALE.format(above=self.k + 1, k=self.k, n=len(self.retrievers))

    @property
    def fingerprint(self) -> str:
        return f"Hybrid@1({self.k},{','.join(one.fingerprint for one in self.retrievers)})"

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        found = []
        for one in self.retrievers:
            try:
                found.append(one.search(query, texts, max(k, DEPTH)))
            except CtxError as fault:
                name = getattr(one, "name", type(one).__name__)
                self.pass_on([("retriever-failed", {"service": name, "fault": "error", "says": fault.told})])
        return fused(found, self.k)[: max(k, 0)]


def fused(found: Sequence[Sequence[Hit]], k: int = K) -> tuple[Hit, ...]:
    """Best first; of equal ones, the first in the texts. 1 = first in every list."""
    sums: dict[int, float] = defaultdict(float)
    for hits in found:
        for rank, hit in enumerate(hits, 1):
            sums[hit.index] += (k + 1) / (k + rank) / len(found)
    return tuple(Hit(index, score) for index, score in sorted(sums.items(), key=lambda one: (-one[1], one[0])))
