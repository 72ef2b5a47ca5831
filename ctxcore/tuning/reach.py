"""How far an axis reaches: from nothing to where more budget changes nothing."""

from __future__ import annotations

from ctxcore.budget import Budget
from ctxcore.build import build_budget
from ctxcore.groups import groups_of
from ctxcore.trace import Trace
from ctxcore.tuning.axis import WINDOW, moved

MOST = 262_144  # budgets of one axis; where everything needs more, the part around the present one is taken
ENOUGH = 1 << 40  # a window in which nothing is short
MARGIN = 256  # tokens for headings and joints, which no item counts


def reach(trace: Trace, over: str) -> tuple[int, int]:
    """First and last budget of the axis, in tokens."""
    now = trace.budget.window if over == WINDOW else trace.budget.cap(over)
    stop = settled_from(trace) if over == WINDOW else _limit(trace, over)
    if stop <= MOST:
        return 0, stop
    start = min(max(0, now - MOST // 2), stop - MOST)
    return start, start + MOST


def _limit(trace: Trace, over: str) -> int:
    """What the limit could ever hold, twice: where an item may take only half of its limit, it asks for so much."""
    sources = trace.budget.limit(over).sources
    could = sum(i.tokens for i in trace.inputs if i.source in sources or trace.system.limit_of(i) == over)
    now = trace.budget.cap(over)
    return max(now, min(max(2 * could, now + MARGIN), trace.budget.window))


def settled_from(trace: Trace) -> int:
    """The smallest window that holds everything, or as much as its limits allow at any window."""
    needs = _needs(trace)
    cost = sum(group.cost for group in groups_of(trace.inputs)) + trace.budget.fixed + MARGIN
    most = _at(trace, ENOUGH).caps()

    def is_enough(window: int) -> bool:
        budget = _at(trace, window)
        caps = budget.caps()
        settled = {name for name in caps if caps[name] == most[name]}
        held = all(settled.issuperset(names) or sum(caps[n] for n in names) >= tokens for names, tokens in needs)
        return held and budget.room >= cost

    low, high = 0, trace.budget.window
    while not is_enough(high):
        if high >= 64 * MOST:
            return high
        low, high = high, 2 * high + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return max(high, min(trace.budget.window, MOST))


def _needs(trace: Trace) -> list[tuple[tuple[str, ...], int]]:
    """Limits that hold the same sources, and the tokens with which they hold all that may ever count to them."""
    out = []
    longest = max((group.tokens for group in groups_of(trace.inputs)), default=0)
    for sources in dict.fromkeys(limit.sources for limit in trace.budget.limits):
        names = tuple(limit.name for limit in trace.budget.limits if limit.sources == sources)
        tokens = sum(i.tokens for i in trace.inputs if i.source in sources or trace.system.limit_of(i) in names)
        out.append((names, tokens + (longest if len(names) > 1 else 0)))  # at their border, a group may fit neither
    return out


def _at(trace: Trace, window: int) -> Budget:
    return build_budget(trace.scenario, moved(trace.settings, WINDOW, window))
