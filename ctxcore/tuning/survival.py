"""At which budgets each item is in the payload: exact, from nothing to everything, for one limit or for the window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ctxcore.budget import MEDIA
from ctxcore.build import build
from ctxcore.item import Item
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.tuning.axis import WINDOW, Axis
from ctxcore.tuning.edges import Span
from ctxcore.tuning.reach import reach

PLACES = 4_096  # budgets that a sketch tells apart


@dataclass(frozen=True, slots=True)
class Life:
    """One item along the axis. `short` are the parts of `spans` in which it is compressed, where that is known."""

    item: Item
    spans: tuple[Span, ...]
    short: tuple[Span, ...] = ()

    def at(self, tokens: int) -> bool:
        return any(start <= tokens < end for start, end in self.spans)

    def next_in(self, tokens: int) -> int | None:
        """The smallest budget from `tokens` on at which the item is in."""
        return next((max(start, tokens) for start, end in self.spans if end > tokens), None)


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """From `at` tokens on, `enters` are in and `leaves` are out. Between two breakpoints nothing changes."""

    at: int
    enters: tuple[str, ...]
    leaves: tuple[str, ...]

    @property
    def flips(self) -> bool:
        """Whether more budget costs an item its place."""
        return bool(self.leaves)


@dataclass(frozen=True)
class Survival:
    """`start` and `stop` are the ends of the axis in tokens, both tried; `now` is where the settings stand on it.

    `unproven`: budgets at which the result was taken from their neighbours; 0 where every budget is accounted for.
    `step`: 1, or in a sketch how many tokens lie between two budgets that were told apart.
    """

    over: str
    start: int
    stop: int
    now: int
    window: int
    lives: tuple[Life, ...]
    unproven: int = 0
    filled: bool = True  # all budgets at once; otherwise the pipeline was run along the axis
    step: int = 1

    @cached_property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        enters: dict[int, list[str]] = {}
        leaves: dict[int, list[str]] = {}
        for life in self.lives:
            for begin, end in life.spans:
                enters.setdefault(begin, []).append(life.item.id)
                leaves.setdefault(end, []).append(life.item.id)
        inside = sorted(at for at in enters.keys() | leaves.keys() if self.start < at <= self.stop)
        return tuple(Breakpoint(at, tuple(enters.get(at, ())), tuple(leaves.get(at, ()))) for at in inside)

    def life(self, item: str) -> Life | None:
        return next((life for life in self.lives if life.item.id == item), None)

    def share(self, at: int) -> float | None:
        """A limit's tokens as a share of the window."""
        return at / self.window if self.over != WINDOW and self.window else None

    def to_json(self) -> dict[str, Any]:
        return {
            "over": self.over,
            "from": self.start,
            "to": self.stop,
            "breakpoints": [
                {"at": b.at, "share": self.share(b.at), "enters": list(b.enters), "leaves": list(b.leaves)}
                for b in self.breakpoints
            ],
        }


def survival(
    scenario: Scenario,
    settings: Settings,
    over: str,
    *,
    services: Services | None = None,
    tries: int | None = None,
    within: int | None = None,
    sketched: bool = False,
) -> Survival:
    """Raises BudgetError where no limit is called `over`.

    Where the pipeline is Select's, all budgets are filled at once; elsewhere the pipeline itself is run along the axis.
    `within`: the axis ends there at the latest, in tokens. `tries`: how many builds it may take to settle what cannot
    be told without; None for as many as are needed. `sketched`: only `PLACES` budgets of the axis are told apart, which
    are more than a screen has pixels, and what the last measurement takes out is not looked for.
    """
    from ctxcore.tuning.searching import searched
    from ctxcore.tuning.selecting import selected

    if over == MEDIA and MEDIA not in dict(settings.limits):
        settings = replace(settings, limits=(*settings.limits, (MEDIA, "100%")))  # it is off: nothing is held by it
    trace = build(scenario, settings, services=services)
    now = trace.budget.window if over == WINDOW else trace.budget.cap(over)
    start, stop = reach(trace, over)
    stop = stop if within is None else max(start + 1, min(stop, within))
    axis = Axis(scenario, settings, over, start, stop, max(1, (stop - start) // PLACES) if sketched else 1)
    filled = selected(axis, trace, services, tries)
    lives, unproven = filled or searched(axis, trace, services, tries)
    window, step = trace.budget.window, axis.step if filled else 1
    return Survival(over, axis.start, axis.stop, now, window, lives, unproven, filled is not None, step)


def spans_between(points: Iterable[tuple[int, bool]], stop: int) -> tuple[Span, ...]:
    """(budget, whether it is in from there on) in rising order, as spans up to `stop`, included."""
    spans: list[Span] = []
    since: int | None = None
    for at, inside in points:
        if inside and since is None:
            since = at
        elif not inside and since is not None:
            spans.append((since, at))
            since = None
    return (*spans, *([(since, stop + 1)] if since is not None else []))
