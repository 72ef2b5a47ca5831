"""A retriever that gives what it gave: the same question over the same texts is searched once, until asked anew."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from ctxcore.memo import Rate
from ctxcore.retrieving.telling import Tellings
from ctxcore.services import Hit, Retriever
from ctxcore.serving.watch import PATIENCE, Telling

HELD = 8  # searches: a build makes one for each of its stages that look something up


class HeldRetriever(Tellings):
    """Holds the last searches by question, texts and the retriever's settings; not one in which something failed.

    In a run of builds little changes from one to the next (article 3, c10); between visits, what is in the scenario.
    """

    def __init__(self, retriever: Retriever, most: int = HELD) -> None:
        super().__init__()
        self.rate = Rate()
        self.patience: float | None = getattr(retriever, "patience", PATIENCE)
        self.trusted = bool(getattr(retriever, "trusted", False))
        self._retriever, self._most = retriever, most
        self._held: dict[tuple[str, str, tuple[str, ...], int], tuple[Hit, ...]] = {}
        self._lock = Lock()

    @property
    def fingerprint(self) -> str:
        return self._retriever.fingerprint

    @property
    def scale(self) -> str:
        return self._retriever.scale

    @property
    def threshold(self) -> float | None:
        return self._retriever.threshold

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        asked = (self.fingerprint, query, tuple(texts), k)
        held = self._held.get(asked)
        self.rate.asked += 1
        self.rate.found += held is not None
        if held is not None:
            return held
        found = self._retriever.search(query, texts, k)
        told: Sequence[Telling] = getattr(self._retriever, "told", tuple)()
        if told:
            self.pass_on(told)
        else:
            self._hold(asked, found)
        return found

    def forget(self) -> None:
        """The next search is made anew."""
        with self._lock:
            self._held.clear()

    def _hold(self, asked: tuple[str, str, tuple[str, ...], int], found: tuple[Hit, ...]) -> None:
        with self._lock:
            while len(self._held) >= self._most:
                del self._held[next(iter(self._held))]
            self._held[asked] = found
