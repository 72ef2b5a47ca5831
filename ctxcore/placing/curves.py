"""Expected recall of a fact by its place in the payload, and by how full the window is.

c(x, f) = m(f) · [1 + a(f)·e^(−x/0.12) + b(f)·e^(−(1−x)/0.24)], x and f in 0–1. The decays were fitted to the series of
Liu et al. (TACL 2024); m, a and b to the means of six open models over seven fills of the window (Veseli et al.,
COLM 2025). Only three places per fill were measured: the shape between them is borrowed. It is expected recall,
not attention.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

PRIMACY, RECENCY = 0.12, 0.24  # decay lengths, as shares of the payload

# fill of the window: level, primacy, recency
_MEASURED = (
    (0.06, 0.893, 0.024, 0.045),
    (0.12, 0.869, 0.050, 0.061),
    (0.25, 0.841, 0.038, 0.085),
    (0.38, 0.799, 0.048, 0.117),
    (0.50, 0.768, 0.014, 0.170),
    (0.75, 0.721, -0.034, 0.193),
    (1.00, 0.667, -0.069, 0.244),
)


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve at one fill. A payload that is over its window is read at fill 1."""

    level: float
    primacy: float
    recency: float

    def at(self, x: float) -> float:
        """Expected recall, 0–1, of a fact at place `x` (0 = first token, 1 = last)."""
        value = self.level * (1 + self.primacy * math.exp(-x / PRIMACY) + self.recency * math.exp(-(1 - x) / RECENCY))
        return min(1.0, max(0.0, value))

    def over(self, start: float, end: float) -> float:
        """Mean expected recall between two places: facts may lie anywhere in an item."""
        if end - start < 1e-9:
            return self.at(start)
        front = PRIMACY * (math.exp(-start / PRIMACY) - math.exp(-end / PRIMACY))
        back = RECENCY * (math.exp(-(1 - end) / RECENCY) - math.exp(-(1 - start) / RECENCY))
        mean = self.level * (1 + (self.primacy * front + self.recency * back) / (end - start))
        return min(1.0, max(0.0, mean))

    def points(self, count: int = 101) -> tuple[float, ...]:
        """The curve at `count` evenly spaced places, first to last."""
        return tuple(self.at(n / (count - 1)) for n in range(count))

    def trough(self) -> tuple[float, float]:
        """From and to where the curve is within a quarter of its range above its lowest; (0, 0) for a flat one."""
        points = self.points(401)
        low, high = min(points), max(points)
        if high - low < 1e-6:
            return 0.0, 0.0
        inside = [n for n, value in enumerate(points) if value <= low + 0.25 * (high - low)]
        return inside[0] / 400, inside[-1] / 400


def curve_at(fill: float) -> Curve:
    """The curve at a fill of the window (payload / window), interpolated between the measured fills."""
    fills = [row[0] for row in _MEASURED]
    fill = min(max(fill, fills[0]), fills[-1])
    at = min(bisect_right(fills, fill), len(fills) - 1)
    low, high = _MEASURED[at - 1], _MEASURED[at]
    share = (fill - low[0]) / (high[0] - low[0])
    level, primacy, recency = (a + share * (b - a) for a, b in zip(low[1:], high[1:], strict=True))
    return Curve(level, primacy, recency)
