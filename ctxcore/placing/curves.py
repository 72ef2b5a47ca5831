"""Curves of expected recall: how likely a fact is used, by its place in the payload. It is no curve of attention.

Places are shares of the payload: 0 = the first token, 1 = the last. Recall is 0–1.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

PRIMACY, RECENCY = 0.12, 0.24  # decay lengths, fitted to the series of Liu et al. (TACL 2024)
GRID = 400  # steps in which the trough is looked for


class Curve:
    """What can be asked of any curve. A kind of curve gives `value` and its `integral` from 0."""

    def value(self, x: float) -> float:
        raise NotImplementedError

    def integral(self, x: float) -> float:
        raise NotImplementedError

    def at(self, x: float) -> float:
        """Expected recall of a fact at place `x`."""
        return min(1.0, max(0.0, self.value(x)))

    def over(self, start: float, end: float) -> float:
        """Mean expected recall between two places: facts may lie anywhere in an item."""
        if end - start < 1e-9:
            return self.at(start)
        return min(1.0, max(0.0, (self.integral(end) - self.integral(start)) / (end - start)))

    def points(self, count: int = 101) -> tuple[float, ...]:
        """The curve at `count` evenly spaced places, first to last."""
        return tuple(self.at(n / (count - 1)) for n in range(count))

    def trough(self) -> tuple[float, float]:
        """From and to where the curve is within a quarter of its range above its lowest; (0, 0) for a flat one."""
        points = self.points(GRID + 1)
        low, high = min(points), max(points)
        if high - low < 1e-6:
            return 0.0, 0.0
        inside = [n for n, value in enumerate(points) if value <= low + 0.25 * (high - low)]
        return inside[0] / GRID, inside[-1] / GRID


@dataclass(frozen=True, slots=True)
class Decay(Curve):
    """level · [1 + primacy · e^(−x/0.12) + recency · e^(−(1−x)/0.24)]."""

    level: float
    primacy: float
    recency: float

    def value(self, x: float) -> float:
        return self.level * (1 + self.primacy * math.exp(-x / PRIMACY) + self.recency * math.exp(-(1 - x) / RECENCY))

    def integral(self, x: float) -> float:
        front = self.primacy * PRIMACY * (1 - math.exp(-x / PRIMACY))
        back = self.recency * RECENCY * (math.exp(-(1 - x) / RECENCY) - math.exp(-1 / RECENCY))
        return self.level * (x + front + back)

    @staticmethod
    def through(first: float, middle: float, last: float) -> Decay:
        """The one curve of this shape with these values at the places 0, ½ and 1."""
        from_front, from_back = math.exp(-1 / PRIMACY), math.exp(-1 / RECENCY)
        half_front, half_back = math.exp(-0.5 / PRIMACY), math.exp(-0.5 / RECENCY)
        # first = m + p + b·from_back, middle = m + p·half_front + b·half_back, last = m + p·from_front + b
        a11, a12, a21, a22 = 1 - half_front, from_back - half_back, from_front - half_front, 1 - half_back
        whole = a11 * a22 - a12 * a21
        p = ((first - middle) * a22 - (last - middle) * a12) / whole
        b = ((last - middle) * a11 - (first - middle) * a21) / whole
        level = middle - p * half_front - b * half_back
        return Decay(level, p / level, b / level) if level else Decay(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Points(Curve):
    """Straight lines between measured places, level before the first and after the last."""

    xs: tuple[float, ...]  # ascending, at least one
    ys: tuple[float, ...]

    def value(self, x: float) -> float:
        at = bisect_right(self.xs, x)
        if at in (0, len(self.xs)):
            return self.ys[0 if at == 0 else -1]
        x0, x1, y0, y1 = self.xs[at - 1], self.xs[at], self.ys[at - 1], self.ys[at]
        return y0 + (y1 - y0) * (x - x0) / (x1 - x0)

    def integral(self, x: float) -> float:
        at = bisect_right(self.xs, x)
        if at == 0:
            return self.ys[0] * x
        begun = self.xs[at - 1]
        return self._sums[at - 1] + (x - begun) * (self.ys[at - 1] + self.value(x)) / 2

    @cached_property
    def _sums(self) -> tuple[float, ...]:
        """The integral at each of the measured places."""
        sums = [self.ys[0] * self.xs[0]]
        for at in range(1, len(self.xs)):
            sums.append(sums[-1] + (self.xs[at] - self.xs[at - 1]) * (self.ys[at] + self.ys[at - 1]) / 2)
        return tuple(sums)


FLAT = Points((0.5,), (1.0,))


def between(low: Decay, high: Decay, share: float) -> Decay:
    """The curve at `share` (0–1) of the way from one to another."""
    return Decay(
        low.level + share * (high.level - low.level),
        low.primacy + share * (high.primacy - low.primacy),
        low.recency + share * (high.recency - low.recency),
    )
