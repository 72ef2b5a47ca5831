"""Which sentences hold the most facts that are not said yet, for their length: greedy, and lazy about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Protocol

BESIDE = 12  # tokens that a piece costs beside its own: the gap around it, and a reader's patience with fragments
BYTES_A_TOKEN = 4  # roughly, in English and in Chinese: enough to compare by
AHEAD = 1e-9  # between two of one worth, the first
MEANT = 4.0  # worth of a sentence whose own worth is 1: what was decided, what is open


class Factual(Protocol):
    """Parallel, one entry a sentence, as in `Passage`."""

    @property
    def sentences(self) -> Sequence[str]: ...
    @property
    def worth(self) -> Sequence[float]: ...
    @property
    def facts(self) -> Sequence[tuple[int, ...]]: ...
    @property
    def values(self) -> Sequence[tuple[float, ...]]: ...


def covering(read: Factual, among: Sequence[int], said: set[int], keep: Callable[[int], bool]) -> Iterator[int]:
    """Sentences of `among`, the best first, each judged by what those before it left unsaid.

    `said`: facts that are there already; grows by those of each sentence that `keep` accepts.
    """
    heap = [(-_gain(read, at, said), at) for at in among]
    heapify(heap)
    while heap:
        _, at = heappop(heap)
        gain = _gain(read, at, said)
        if gain <= 0:
            continue
        if heap and -gain > heap[0][0] + AHEAD:
            heappush(heap, (-gain, at))
        elif keep(at):
            said.update(read.facts[at])
            yield at


def density(sentence: str, worth: float, values: Sequence[float]) -> float:
    """What a sentence is worth for each of its tokens, with these of its facts."""
    return (sum(values) + MEANT * max(0.0, worth)) / (len(sentence.encode("utf-8", "replace")) / BYTES_A_TOKEN + BESIDE)


def _gain(read: Factual, at: int, said: set[int]) -> float:
    new = [value for fact, value in zip(read.facts[at], read.values[at], strict=True) if fact not in said]
    return density(read.sentences[at], read.worth[at], new)
