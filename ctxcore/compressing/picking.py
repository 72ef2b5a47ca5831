"""Sentences taken one by one until a room is full, and joined in their order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ctxcore.compressing.coverage import covering
from ctxcore.compressing.passages import Passage
from ctxcore.services import Counter

GAP = "[…]"
PATIENCE = 64  # sentences in a row that do not fit: what room is left is not worth more search


class Picking:
    """Of one text, within `max_tokens`. What repeats a taken sentence is passed over."""

    def __init__(self, read: Passage, max_tokens: int, counter: Counter) -> None:
        self.read, self.max_tokens, self.counter = read, max_tokens, counter
        self._gap = counter.count(f" {GAP} ")
        self._taken: dict[int, None] = {}  # in the order they were taken
        self._keys: set[int] = set()
        self._used = 0

    def take(self, order: Iterable[int], up_to: int | None = None) -> None:
        """In this order, what fits; no more than `up_to` tokens in all, but always the first that fits the room."""
        limit = self.max_tokens if up_to is None else min(up_to, self.max_tokens)
        self._used = self.counter.count(self._joined())  # the counts of pieces add up to a little more than the whole
        misfits = 0
        for at in order:
            if at in self._taken or self.read.keys[at] in self._keys:
                continue
            if self._try(at, limit if self._taken else self.max_tokens):
                misfits = 0
            elif (misfits := misfits + 1) == PATIENCE:
                return

    def cover(self) -> None:
        """What is left of the room goes to facts that are not said yet."""
        read = self.read
        said = {fact for at in self._taken for fact in read.facts[at]}
        misfits = 0

        def keep(at: int) -> bool:
            nonlocal misfits
            if read.keys[at] in self._keys or misfits >= PATIENCE:
                return False
            fits = self._try(at, self.max_tokens)
            misfits = 0 if fits else misfits + 1
            return fits

        among = [at for at in range(len(read.sentences)) if at not in self._taken and read.facts[at]]
        for _ in covering(read, among, said, keep):
            pass

    def text(self) -> str:
        while self._taken and self.counter.count(self._joined()) > self.max_tokens:
            self._taken.popitem()
        return self._joined()

    def _try(self, at: int, limit: int) -> bool:
        gaps = 1 - (at - 1 in self._taken) - (at + 1 in self._taken) if self._taken else 0
        cost = self.counter.count(self.read.sentences[at].rstrip(" ")) + self._gap * gaps
        if self._used + cost > limit:
            return False
        self._taken[at] = None
        self._keys.add(self.read.keys[at])
        self._used += cost
        return True

    def _joined(self) -> str:
        out = []
        for at, following in pairwise([*sorted(self._taken), -1]):
            sentence = self.read.sentences[at]
            if following not in (at + 1, -1):  # a gap between lines is a line
                sentence = sentence.rstrip() + (f"\n{GAP}\n" if sentence.endswith("\n") else f" {GAP} ")
            out.append(sentence)
        return "".join(out).strip("\n").rstrip()
