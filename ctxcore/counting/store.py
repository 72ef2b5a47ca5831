"""What is known of texts in one encoding: counts and cuts, remembered in the life of the process."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from ctxcore.counting.encodings import encode
from ctxcore.counting.fast import can_count, counts, is_fast
from ctxcore.memo import Memo


class Store:
    """What all counters of one encoding share."""

    def __init__(self, name: str, characters: int = 64_000_000) -> None:
        self.name = name
        self.counts: Memo[str, int] = Memo(characters)
        self.cuts: Memo[tuple[str, int], str] = Memo(characters // 4)
        self.calls = 0
        self._lock = Lock()

    def encode(self, text: str) -> list[int]:
        self._note(1)
        return encode(self.name, text)

    def count(self, text: str) -> int:
        if is_fast(self.name) and can_count(text):
            self._note(1)
            return counts(self.name, [text])[0]
        return len(self.encode(text))

    def learn(self, texts: Iterable[str]) -> None:
        """Counts those that are new, all at once where that is sooner."""
        if not is_fast(self.name):
            return
        young = self.counts.young
        new = [text for text in dict.fromkeys(texts) if text and text not in young and can_count(text)]
        for text, tokens in zip(new, counts(self.name, new) if new else (), strict=True):
            self.counts.put(text, tokens, len(text))
        self._note(len(new))

    def _note(self, runs: int) -> None:
        with self._lock:
            self.calls += runs
