"""The survival of every item where the pipeline itself must be run: at every budget, or on a grid and by halving."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise

from ctxcore.build import build
from ctxcore.services import Services
from ctxcore.trace import Trace
from ctxcore.tuning.axis import Axis
from ctxcore.tuning.survival import Life, spans_between

POINTS = 128  # of the grid, at most
DENSE = 20_000  # budgets of an axis, each of which is built


def searched(axis: Axis, trace: Trace, services: Services | None, tries: int | None) -> tuple[tuple[Life, ...], int]:
    """The lives of all items, and the number of budgets that were not tried: none where there are as many tries as are
    needed, and no more than `DENSE` budgets. Between two that were tried and agree, nothing is taken to change.

    `tries` builds at most: half of them on a grid, the others where the widest gap has ends that differ.
    """
    found: dict[int, frozenset[str]] = {}

    def left(at: int) -> frozenset[str]:
        if at not in found:
            final = build(axis.scenario, axis.at(at), services=services).final
            found[at] = frozenset(item.id for item in final.items)
        return found[at]

    is_dense = tries is None and axis.stop - axis.start <= DENSE
    points = POINTS if tries is None else max(1, min(POINTS, tries // 2))
    step = 1 if is_dense else max(1, -(-(axis.stop - axis.start) // points))
    gaps = [(low - high, low, high) for low, high in pairwise(sorted({*range(axis.start, axis.stop, step), axis.stop}))]
    for _, low, high in gaps:
        left(low)
        left(high)
    heapify(gaps)  # the widest first
    while gaps and (tries is None or len(found) < tries):
        _, low, high = heappop(gaps)
        if high - low > 1 and left(low) != left(high):
            middle = (low + high) // 2
            left(middle)
            heappush(gaps, (low - middle, low, middle))
            heappush(gaps, (middle - high, middle, high))
    tried = sorted(found.items())
    lives = (
        Life(item, spans_between(((at, item.id in there) for at, there in tried), axis.stop)) for item in trace.inputs
    )
    return tuple(lives), axis.stop - axis.start + 1 - len(tried)
