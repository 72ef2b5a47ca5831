"""What is put in order, and what an order is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcore.placing.curves import Curve

FREE, FIRST, LAST = 0, -1, 1


@dataclass(frozen=True, slots=True)
class Unit:
    """What is moved as a whole. `chain`: units of one chain keep their order; `place` holds one at an end."""

    key: str
    tokens: int
    weight: float
    chain: str = ""
    place: int = FREE

    @property
    def density(self) -> float:
        return self.weight / max(1, self.tokens)


def expected(order: Sequence[Unit], curve: Curve) -> float:
    """Importance-weighted expected recall, 0–1; 0 where nothing is important."""
    total, at, won, whole = sum(unit.tokens for unit in order) or 1, 0, 0.0, 0.0
    for unit in order:
        won += unit.weight * curve.over(at / total, (at + unit.tokens) / total)
        whole += unit.weight
        at += unit.tokens
    return won / whole if whole else 0.0
