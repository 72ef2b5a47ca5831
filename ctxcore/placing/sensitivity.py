"""How much of the advice is left where the importance is guessed wrongly."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ctxcore.placing.curves import Curve
from ctxcore.placing.optimum import optimum
from ctxcore.placing.unit import Unit, expected

NOISE = (0.0, 0.5, 1.0, 2.0)  # spread of a wrong guess, as a factor e^±x on each importance
DRAWS = 12  # wrong guesses for each of them


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How much of the gain is left if the importance is guessed wrongly."""

    agreement: float  # Spearman correlation of the guess with the truth, mean of the draws
    gain: float  # points over the present order, mean of the draws


def sensitivity(units: Sequence[Unit], curve: Curve, seed: int = 1) -> tuple[Sensitivity, ...]:
    """The order that is best for a wrong guess, judged by the right one; for guesses from right to quite wrong."""
    draw, base, right = random.Random(seed), expected(units, curve), {unit.key: unit for unit in units}
    rows = []
    for spread in NOISE:
        gains, agreements = [], []
        for _ in range(DRAWS if spread else 1):
            guess = [replace(unit, weight=unit.weight * math.exp(draw.gauss(0, spread))) for unit in units]
            order = [right[unit.key] for unit in optimum(guess, curve)]
            gains.append(100 * (expected(order, curve) - base))
            agreements.append(_spearman([unit.weight for unit in units], [unit.weight for unit in guess]))
        rows.append(Sensitivity(sum(agreements) / len(agreements), sum(gains) / len(gains)))
    return tuple(rows)


def _spearman(one: Sequence[float], other: Sequence[float]) -> float:
    a, b = _ranks(one), _ranks(other)
    mean = (len(a) - 1) / 2
    spread = sum((x - mean) ** 2 for x in a)
    return sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True)) / spread if spread else 1.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranks = [0.0] * len(values)
    for rank, at in enumerate(order):
        ranks[at] = float(rank)
    return ranks
