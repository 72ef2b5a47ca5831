"""From answers to a curve: Wilson intervals for each place, a fit with its uncertainty, and what can be said at all."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxcore.measuring.measure import Observation
from ctxcore.placing.curves import PRIMACY, RECENCY, Decay

Z = 1.959964  # of a 95 % interval
DRAWS = 400  # simulated measurements behind the interval of the fit
LEAST = 1e-6  # a level of nothing at all


@dataclass(frozen=True, slots=True)
class Point:
    """Found `found` of `asked` times at a place; `low` and `high` are the Wilson interval of 95 %."""

    place: float
    found: int
    asked: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.found / self.asked


@dataclass(frozen=True, slots=True)
class Fit:
    """level + primacy · e^(−x/0.12) + recency · e^(−(1−x)/0.24), each with its interval of 95 %."""

    level: float
    primacy: float
    recency: float
    level_range: tuple[float, float]
    primacy_range: tuple[float, float]
    recency_range: tuple[float, float]
    band: tuple[tuple[float, float], ...]  # interval of the curve at 101 even places

    @property
    def curve(self) -> Decay:
        level = max(LEAST, self.level)
        return Decay(level, self.primacy / level, self.recency / level)

    @property
    def has_effect(self) -> bool:
        """Whether a position effect can be told from none: one of the ends' intervals leaves out zero."""
        return not all(low <= 0 <= high for low, high in (self.primacy_range, self.recency_range))


def wilson(found: int, asked: int) -> tuple[float, float]:
    """Interval of 95 % for a share; (0, 1) where nothing was asked."""
    if not asked:
        return 0.0, 1.0
    share, z2 = found / asked, Z * Z / asked
    middle = (share + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(share * (1 - share) / asked + z2 / (4 * asked))
    return max(0.0, middle - half), min(1.0, middle + half)


def points(seen: Iterable[Observation], tokens: int | None = None, kind: str | None = None) -> tuple[Point, ...]:
    """By place, of one length and kind or of all; errors count nothing."""
    rows: dict[float, list[bool]] = {}
    for one in seen:
        if not one.error and tokens in (None, one.tokens) and kind in (None, one.kind):
            rows.setdefault(one.place, []).append(one.found)
    return tuple(
        Point(place, sum(found), len(found), *wilson(sum(found), len(found))) for place, found in sorted(rows.items())
    )


def fit(measured: Sequence[Point], seed: int = 1) -> Fit | None:
    """None with fewer than three places: there is no curve through them."""
    if len(measured) < 3:
        return None
    level, primacy, recency = _solved(measured, [point.share for point in measured])
    draw, drawn = random.Random(seed), []
    for _ in range(DRAWS):
        again = [_binomial(draw, point) for point in measured]
        drawn.append(_solved(measured, again))
    ranges = [_middle([row[at] for row in drawn]) for at in range(3)]
    band = tuple(_middle([_value(row, n / 100) for row in drawn]) for n in range(101))
    return Fit(level, primacy, recency, ranges[0], ranges[1], ranges[2], band)


def _binomial(draw: random.Random, point: Point) -> float:
    """Another measurement as it might have come out; shares of 0 and 1 are drawn in by one answer of two."""
    chance = (point.found + 0.5) / (point.asked + 1)
    return sum(draw.random() < chance for _ in range(point.asked)) / point.asked


def _value(row: Sequence[float], x: float) -> float:
    return min(1.0, max(0.0, row[0] + row[1] * math.exp(-x / PRIMACY) + row[2] * math.exp(-(1 - x) / RECENCY)))


def _middle(values: Sequence[float]) -> tuple[float, float]:
    """The middle 95 %."""
    ordered = sorted(values)
    return ordered[int(0.025 * len(ordered))], ordered[min(len(ordered) - 1, int(0.975 * len(ordered)))]


def _solved(measured: Sequence[Point], shares: Sequence[float]) -> tuple[float, float, float]:
    """Least squares by place, the two ends drawn towards nothing by a ridge of 4 answers."""
    rows = [(1.0, math.exp(-p.place / PRIMACY), math.exp(-(1 - p.place) / RECENCY)) for p in measured]
    ridge = 4 / (sum(p.asked for p in measured) / len(measured))
    left = [
        [sum(row[i] * row[j] for row in rows) + (ridge if i == j and i else 0.0) for j in range(3)] for i in range(3)
    ]
    right = [sum(row[i] * y for row, y in zip(rows, shares, strict=True)) for i in range(3)]
    return _gauss(left, right)


def _gauss(a: list[list[float]], b: list[float]) -> tuple[float, float, float]:
    """Three equations; they are well-conditioned: the matrix is positive definite."""
    for i in range(3):
        for j in range(i + 1, 3):
            factor = a[j][i] / a[i][i]
            a[j] = [x - factor * y for x, y in zip(a[j], a[i], strict=True)]
            b[j] -= factor * b[i]
    z = b[2] / a[2][2]
    y = (b[1] - a[1][2] * z) / a[1][1]
    return (b[0] - a[0][1] * y - a[0][2] * z) / a[0][0], y, z
