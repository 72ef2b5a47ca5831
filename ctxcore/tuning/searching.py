"""The survival of every item where the pipeline itself must be run: on a grid, and between its points by halving."""

from __future__ import annotations

from itertools import pairwise

from ctxcore.build import build
from ctxcore.services import Services
from ctxcore.trace import Trace
from ctxcore.tuning.axis import Axis
from ctxcore.tuning.survival import Life, spans_between

POINTS = 128


def searched(axis: Axis, trace: Trace, services: Services | None) -> tuple[tuple[Life, ...], int]:
    """The lives of all items, and the number of budgets that were not tried."""
    found: dict[int, frozenset[str]] = {}

    def left(at: int) -> frozenset[str]:
        if at not in found:
            final = build(axis.scenario, axis.at(at), services=services).final
            found[at] = frozenset(item.id for item in final.items)
        return found[at]

    step = max(1, (axis.stop - axis.start) // POINTS)
    grid = sorted({*range(axis.start, axis.stop, step), axis.stop})
    todo = list(pairwise(grid))
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
