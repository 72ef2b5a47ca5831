"""The survival of every item where the pipeline itself must be run: at every budget, or on a grid and by halving."""

from __future__ import annotations

from itertools import pairwise

from ctxcore.build import build
from ctxcore.services import Services
from ctxcore.trace import Trace
from ctxcore.tuning.axis import Axis
from ctxcore.tuning.survival import Life, spans_between

POINTS = 128
DENSE = 20_000  # budgets of an axis, each of which is built


def searched(axis: Axis, trace: Trace, services: Services | None, tries: int | None) -> tuple[tuple[Life, ...], int]:
    """The lives of all items, and the number of budgets that were not tried: none where there are as many tries as are
    needed, and no more than `DENSE` budgets. Between two that were tried and agree, nothing is taken to change."""
    found: dict[int, frozenset[str]] = {}

    def left(at: int) -> frozenset[str]:
        if at not in found:
            final = build(axis.scenario, axis.at(at), services=services).final
            found[at] = frozenset(item.id for item in final.items)
        return found[at]

    is_dense = tries is None and axis.stop - axis.start <= DENSE
    step = 1 if is_dense else max(1, (axis.stop - axis.start) // POINTS)
    grid = sorted({*range(axis.start, axis.stop, step), axis.stop})
    todo = list(pairwise(grid))
    for at in grid:
        left(at)
    while todo:
        low, high = todo.pop()
        if high - low > 1 and left(low) != left(high):
            middle = (low + high) // 2
            todo += [(low, middle), (middle, high)]
    tried = sorted(found.items())
    lives = (
        Life(item, spans_between(((at, item.id in there) for at, there in tried), axis.stop)) for item in trace.inputs
    )
    return tuple(lives), axis.stop - axis.start + 1 - len(tried)
