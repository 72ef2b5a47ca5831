"""The smallest move along an axis that changes a text's fate, found by running the build again: exactly.

Limits and windows are not monotone: what a budget of 9,120 keeps, one of 9,121 may lose. So every place of the axis is
looked at, in order; those at which a run cannot differ from one that was made (`tracked.py`) are passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ctxcore.build import Plan, build, planned
from ctxcore.defaults import built_in_services
from ctxcore.errors import CtxError
from ctxcore.explaining.likely import Likely, likely
from ctxcore.explaining.tracked import Comparisons
from ctxcore.explaining.tracked_budget import tracked_budget
from ctxcore.explaining.why import holds
from ctxcore.running import skip_rule
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.trace import Trace

BRIEF = 20_000  # items that all runs may read where a build is made at every place: what would take a text out


@dataclass(frozen=True)
class Care:
    """`effort`: items that all runs of one search may read. `wide`: places that are looked at one by one whatever
    comes; on a longer axis, no farther is looked than to a place that was found by leaps."""

    effort: int = 600_000
    wide: int = 4_096


THOROUGH, QUICK = Care(), Care(effort=30_000, wide=64)


@dataclass(frozen=True)
class Axis:
    """Settings at each of the `places`, in the order in which they are tried."""

    scenario: Scenario
    at: Callable[[int], Settings]
    places: Sequence[int]
    services: Services | None = None

    def build(self, place: int) -> Trace | None:
        try:
            return build(self.scenario, self.at(place), services=self.services)
        except CtxError:
            return None


@dataclass(frozen=True, slots=True)
class Found:
    """`proven`: no earlier place would do as well. Otherwise the search became too long, and halved the rest."""

    place: int
    trace: Trace
    proven: bool


def first_where(
    axis: Axis, text: str, wanted: Callable[[Trace], bool], *, kept: bool, care: Care = THOROUGH
) -> Found | None:
    """The first place at which the build is as `wanted`. `kept`: whether only builds that keep `text` can be so.

    Where all places are told at once (`likely.py`), only those are built that may do.
    """
    may = likely(axis.scenario, axis.at, axis.places, text, axis.services)
    if may is not None:
        return _first_of(axis, may, wanted, kept)
    size = 1 + sum(1 for _ in axis.scenario.records()) + len(axis.scenario.messages)
    places, left, at = _within_reach(axis, wanted, care.wide), care.effort if kept else min(care.effort, BRIEF), 0
    while at < len(places):
        seen = Comparisons()
        plan, gone = _probe(axis, places[at], text, seen)
        if not (kept and gone):
            trace = axis.build(places[at])
            if trace is not None and wanted(trace):
                return Found(places[at], trace, True)
            if plan and trace:
                _hold_fit(plan, trace)
        left -= size
        at += 1
        while plan and at < len(places) and seen.holds(places[at]):
            at += 1
        if left < 0:
            return _halved(axis, places[at:], wanted)
    return None


def _first_of(axis: Axis, may: Likely, wanted: Callable[[Trace], bool], kept: bool) -> Found | None:
    left = THOROUGH.effort
    for place in may.walk(kept):
        trace = axis.build(place)
        if trace is not None and wanted(trace):
            return Found(place, trace, True)
        left -= len(trace.inputs) if trace else 0
        if left < 0:
            return _halved(axis, axis.places[axis.places.index(place) + 1 :], wanted)
    return _halved(axis, may.beyond, wanted)


def _within_reach(axis: Axis, wanted: Callable[[Trace], bool], wide: int) -> Sequence[int]:
    if len(axis.places) <= wide:
        return axis.places
    leap = _leapt(axis, axis.places, wanted)
    return axis.places[: leap[1] + 1 if leap else wide]


def _leapt(axis: Axis, places: Sequence[int], wanted: Callable[[Trace], bool]) -> tuple[int, int, Trace] | None:
    """The last index that will not do, and the next one tried, which will: at 0, 1, 3, 7, 15 and so on."""
    low, high = -1, 0
    while high < len(places):
        trace = axis.build(places[high])
        if trace is not None and wanted(trace):
            return low, high, trace
        if high == len(places) - 1:
            break
        low, high = high, min(len(places) - 1, 2 * high + 1)
    return None


def _halved(axis: Axis, places: Sequence[int], wanted: Callable[[Trace], bool]) -> Found | None:
    """A place that will do though the one before it will not."""
    leap = _leapt(axis, places, wanted)
    if leap is None:
        return None
    low, high, found = leap
    while high - low > 1:
        middle = (low + high) // 2
        trace = axis.build(places[middle])
        if trace is not None and wanted(trace):
            high, found = middle, trace
        else:
            low = middle
    return Found(places[high], found, False)


def _probe(axis: Axis, place: int, text: str, seen: Comparisons) -> tuple[Plan | None, bool]:
    """Runs the stages with tracked numbers. The plan as far as it went, None where they cannot be tracked; and whether
    the text left on the way."""
    try:
        services = (axis.services or built_in_services()).watched()
        plan = planned(axis.scenario, axis.at(place), services)
        budget = tracked_budget(axis.scenario, axis.at, place, plan.payload.budget, seen)
        plan = replace(plan, payload=replace(plan.payload, budget=budget))
        for stage in plan.stages:
            before = replace(plan.payload, records=(), problems=())
            if not skip_rule(stage, plan.conditions.get(stage.name, ""), before):
                plan = replace(plan, payload=stage.apply(before, plan.services))
            if plan.payload.items and not plan.asked.edits and not _is_there(plan, text):
                return plan, True
    except CtxError:
        return None, False
    except (TypeError, ValueError, AttributeError, OverflowError):  # a stage that takes no other numbers than its own
        return None, False
    return plan, False


def _is_there(plan: Plan, text: str) -> bool:
    return any(_says(item.text, text) for item in plan.payload.items)


_says = lru_cache(maxsize=4_096)(holds)  # the runs of one search look at the same texts again and again


def _hold_fit(plan: Plan, trace: Trace) -> None:
    """Whether the payload fits is one comparison more."""
    bool(plan.payload.budget.room >= trace.totals.total)
