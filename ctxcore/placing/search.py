"""Improves an order of units: by neighbours that pass each other."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcore.placing.curves import Curve
from ctxcore.placing.unit import FREE, Unit

SWAPS = 6_000  # of neighbours, that a search looks at in all
LEAST = 1e-12  # what counts as a gain, against rounding


class Search:
    """Improves an order: a unit passes its neighbours, one after the other, as far as that gains."""

    def __init__(self, order: Sequence[Unit], curve: Curve) -> None:
        self.order, self.curve = list(order), curve
        self.total = sum(unit.tokens for unit in order) or 1

    def run(self) -> tuple[Unit, ...]:
        """Sweeps until nothing gains, with at most `SWAPS` swaps looked at in all."""
        count = max(1, len(self.order))
        reach = max(1, SWAPS // (2 * count))
        for _ in range(max(1, SWAPS // (2 * count * min(reach, count)))):
            if not self._sweep(reach):
                break
        return tuple(self.order)

    def _sweep(self, reach: int) -> bool:
        moved, start = False, 0
        for at in range(len(self.order)):
            if self.order[at].place == FREE:
                gain, to = max(self._walk(at, start, step, reach) for step in (-1, 1))
                if gain > LEAST:
                    self.order.insert(to, self.order.pop(at))
                    moved = True
            start += self.order[at].tokens
        return moved

    def _walk(self, at: int, start: int, step: int, reach: int) -> tuple[float, int]:
        """The highest gain of the unit at `at` on its way in one direction, and where it has it."""
        unit, gain, best, to, area = self.order[at], 0.0, 0.0, at, self._area
        end = min(len(self.order), at + reach + 1) if step > 0 else max(-1, at - reach - 1)
        for there in range(at + step, end, step):
            other = self.order[there]
            if not _may_pass(unit, other):
                break
            start -= other.tokens if step < 0 else 0
            first, second = (other, unit) if step < 0 else (unit, other)
            meet = area(start + first.tokens) + area(start + second.tokens)
            gain += (second.density - first.density) * (meet - area(start) - area(start + first.tokens + second.tokens))
            start += other.tokens if step > 0 else 0
            if gain > best:
                best, to = gain, there
        return best, to

    def _area(self, tokens: int) -> float:
        return self.curve.integral(tokens / self.total)


def _may_pass(unit: Unit, other: Unit) -> bool:
    return unit.place == other.place == FREE and not (unit.chain and unit.chain == other.chain)
