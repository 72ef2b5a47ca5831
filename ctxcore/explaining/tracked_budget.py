"""A budget of tracked numbers, each of which knows its value at the other places of an axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from ctxcore.budget import Budget, Caps
from ctxcore.build import build_budget
from ctxcore.explaining.tracked import Comparisons, Number, Root, Tracked
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings


@dataclass(frozen=True, slots=True)
class _TrackedBudget(Budget):
    numbers: Any = None

    @property
    def room(self) -> int:
        return cast(int, self.numbers("·room"))

    @property
    def scale(self) -> float:
        return cast(float, self.numbers("·scale"))

    def caps(self) -> Caps:
        return Caps((limit.name, cast(int, self.numbers(limit.name))) for limit in self.limits)


def tracked_budget(
    scenario: Scenario, settings_at: Callable[[int], Settings], place: int, here: Budget, seen: Comparisons
) -> Budget:
    """The budget with tracked numbers instead of its own, each of which knows its value at other places."""
    last: dict[int, dict[str, Number]] = {place: _numbers(here)}

    def at(k: int, name: str) -> Number:
        if k not in last:
            last.clear()
            last[k] = _numbers(build_budget(scenario, settings_at(k)))
        return last[k][name]

    roots = {
        name: Root(lambda k, name=name: at(k, name), value, seen)  # type: ignore[misc]
        for name, value in last[place].items()
    }

    def number(name: str) -> Tracked:
        return Tracked(roots[name])

    window, reserve = cast(int, number("·window")), cast(int, number("·reserve"))
    return _TrackedBudget(
        window, reserve, here.limits, here.fixed, here.native_room, here.reserve_share, numbers=number
    )


def _numbers(budget: Budget) -> dict[str, Number]:
    own = {"·room": budget.room, "·scale": budget.scale, "·window": budget.window, "·reserve": budget.reserve}
    return {**own, **budget.caps()}
