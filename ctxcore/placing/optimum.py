"""The best order of units along a curve, under what must stay in order.

For two neighbours, the denser one (importance per token) belongs first where the curve falls and last where it rises:
so the best order is dense at both ends and thin at the lowest place, whatever the curve (Smith's rule, twice). Few
units are solved exactly; many are placed greedily from both ends, then improved by moving single ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from ctxcore.placing.curves import Curve, Points
from ctxcore.placing.exact import best_order, chains_of, is_few
from ctxcore.placing.search import Search
from ctxcore.placing.unit import FIRST, LAST, Unit, expected

FEW = 60  # up to so many units, the search has several starts
SHAPES = (Points((0.0, 1.0), (0.0, 1.0)), Points((0.0, 1.0), (1.0, 0.0)))  # from which it starts too


def optimum(order: Sequence[Unit], curve: Curve) -> tuple[Unit, ...]:
    """The units in the order with the highest expected recall that the search finds; never worse than `order`."""
    chains = chains_of(order)
    if is_few(chains):
        found = [_exact(order, chains, curve)]
    else:
        starts = [_two_ended(order, curve)]
        if len(order) <= FEW:
            starts += [tuple(order), *(_two_ended(order, shape) for shape in SHAPES)]
        found = [Search(start, curve).run() for start in starts]
    return max((tuple(order), *found), key=lambda units: expected(units, curve))


def _exact(order: Sequence[Unit], chains: Sequence[Sequence[Unit]], curve: Curve) -> tuple[Unit, ...]:
    front = [unit for unit in order if unit.place == FIRST]
    back = [unit for unit in order if unit.place == LAST]
    total = sum(unit.tokens for unit in order) or 1
    return (*front, *best_order(chains, sum(unit.tokens for unit in front), total, curve), *back)


class _Chain:
    """Units that keep their order, taken from both ends in blocks: the densest prefix, or the densest suffix."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units, self.low, self.high = units, 0, len(units)

    def block(self, end: int) -> tuple[float, int]:
        """Density and length of the densest block at that end."""
        left = self.units[self.low : self.high]
        weight, tokens, best, length = 0.0, 0, -1.0, 0
        for at, unit in enumerate(left if end == FIRST else reversed(left), 1):
            weight, tokens = weight + unit.weight, tokens + unit.tokens
            if weight / max(1, tokens) > best:
                best, length = weight / max(1, tokens), at
        return best, length

    def size(self, end: int, length: int) -> int:
        """Tokens of the block of that length."""
        taken = self.units[self.low : self.low + length] if end == FIRST else self.units[self.high - length : self.high]
        return sum(unit.tokens for unit in taken)

    def take(self, end: int, length: int) -> Sequence[Unit]:
        if end == FIRST:
            self.low += length
            return self.units[self.low - length : self.low]
        self.high -= length
        return self.units[self.high : self.high + length]


class _End:
    """The blocks that one end could take next, densest first. A block of which the other end took some is stale."""

    def __init__(self, chains: Sequence[_Chain], end: int) -> None:
        self.end, self.chains = end, chains
        self._heap: list[tuple[float, int, int, int, int]] = []
        for at in range(len(chains)):
            self.offer(at)

    def offer(self, at: int) -> None:
        chain = self.chains[at]
        if chain.low < chain.high:
            density, length = chain.block(self.end)
            rank = at if self.end == FIRST else -at
            heappush(self._heap, (-density, rank, at, length, chain.low if self.end == FIRST else -chain.high))

    def best(self) -> tuple[int, int]:
        """Chain and length of the densest block that is still there. Only while units are left."""
        while True:
            _, _, at, length, mark = self._heap[0]
            chain = self.chains[at]
            begun = chain.low if self.end == FIRST else -chain.high
            if mark == begun and length <= chain.high - chain.low:
                return at, length
            heappop(self._heap)
            if mark == begun:  # the other end took some of it
                self.offer(at)


def _two_ended(order: Sequence[Unit], curve: Curve) -> tuple[Unit, ...]:
    """The better end takes the densest block that may go there, until none is left."""
    total = sum(unit.tokens for unit in order) or 1
    front = [unit for unit in order if unit.place == FIRST]
    back = [unit for unit in reversed(order) if unit.place == LAST]
    chains = [_Chain(units) for units in chains_of(order)]
    from_front, from_back = _End(chains, FIRST), _End(chains, LAST)
    low, high = sum(unit.tokens for unit in front), total - sum(unit.tokens for unit in back)
    left = sum(len(chain.units) for chain in chains)
    while left:
        (at, length), (at_back, length_back) = from_front.best(), from_back.best()
        size, size_back = chains[at].size(FIRST, length), chains[at_back].size(LAST, length_back)
        to_front = curve.over(low / total, (low + size) / total)
        if to_front >= curve.over((high - size_back) / total, high / total):
            front += chains[at].take(FIRST, length)
            low, left = low + size, left - length
            from_front.offer(at)
        else:
            back += reversed(chains[at_back].take(LAST, length_back))
            high, left = high - size_back, left - length_back
            from_back.offer(at_back)
    return (*front, *reversed(back))
