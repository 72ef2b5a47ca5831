"""A retriever that gives what it gave: the same question over the same texts is searched once, until asked anew."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcore.services import Hit, Retriever

HELD = 8  # searches: a build makes one for each of its stages that look something up


class HeldRetriever:
    """For a run of builds in which little changes from one to the next (article 3, c10)."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._held: dict[tuple[str, tuple[str, ...], int], tuple[Hit, ...]] = {}
        self.fingerprint, self.scale = retriever.fingerprint, retriever.scale

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        asked = (query, tuple(texts), k)
        if asked not in self._held:
            found = self._retriever.search(query, texts, k)
            while len(self._held) >= HELD:
                del self._held[next(iter(self._held))]
            self._held[asked] = found
        return self._held[asked]

    def forget(self) -> None:
        """The next search is made anew."""
        self._held.clear()
