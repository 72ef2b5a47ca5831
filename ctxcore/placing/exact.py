"""The best order itself, where the orders are few: what a unit is worth hangs only on *which* units stand before it.

So one best order for each set that may stand first is enough (dynamic programming over sets), whatever the curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from operator import mul

from ctxcore.placing.curves import Curve
from ctxcore.placing.unit import FREE, Unit

MOST = 10_000  # sets: thirteen units that may go anywhere make 8,192, and a chain of n makes n + 1 where a unit makes 2


def chains_of(order: Sequence[Unit]) -> tuple[tuple[Unit, ...], ...]:
    """The units that may move, by what keeps its order; a unit of no chain is one by itself."""
    found: dict[str, list[Unit]] = {}
    for unit in order:
        if unit.place == FREE:
            found.setdefault(unit.chain or f"\0{unit.key}", []).append(unit)
    return tuple(tuple(units) for units in found.values())


def is_few(chains: Sequence[Sequence[Unit]]) -> bool:
    return prod(len(chain) + 1 for chain in chains) <= MOST


def best_order(chains: Sequence[Sequence[Unit]], start: int, total: int, curve: Curve) -> tuple[Unit, ...]:
    """The best order of the chains' units from token `start` on, of `total` tokens. Only for few (`is_few`)."""
    steps = tuple(accumulate((len(chain) + 1 for chain in chains), mul, initial=1))  # a set's number: Σ taken · step
    ends, areas, worth, last = [start], [curve.integral(start / total)], [0.0], [-1]
    for number in range(1, steps[-1]):  # a set comes after all of its parts
        best, by, end = -1.0, -1, 0
        for at, chain in enumerate(chains):
            taken = number // steps[at] % (len(chain) + 1)
            if not taken:
                continue
            unit, before = chain[taken - 1], number - steps[at]
            if by < 0:  # the same whichever unit is the last
                end = ends[before] + unit.tokens
                area = curve.integral(end / total)
            mean = (area - areas[before]) * total / unit.tokens if unit.tokens else curve.at(end / total)
            if (value := worth[before] + unit.weight * mean) > best:
                best, by = value, at
        ends.append(end)
        areas.append(area)
        worth.append(best)
        last.append(by)
    return _read_back(chains, steps, last)


def _read_back(chains: Sequence[Sequence[Unit]], steps: Sequence[int], last: Sequence[int]) -> tuple[Unit, ...]:
    order: list[Unit] = []
    number = steps[-1] - 1
    while number:
        at = last[number]
        order.append(chains[at][number // steps[at] % (len(chains[at]) + 1) - 1])
        number -= steps[at]
    return tuple(reversed(order))
