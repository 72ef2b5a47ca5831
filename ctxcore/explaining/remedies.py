"""What would keep a text that was lost: the smallest change of each kind, found by running the build again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ctxcore.build import build
from ctxcore.explaining.why import Story
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace
from ctxcore.words import sentence


@dataclass(frozen=True, slots=True)
class Remedy:
    """`argv` appended to the same call keeps the text; `pushes_out` leaves for it; `tokens` is the new total."""

    argv: tuple[str, ...]
    rule: str
    facts: dict[str, Any]
    pushes_out: tuple[str, ...]
    tokens: int

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "argv": list(self.argv),
            "says": sentence(self.rule, self.facts, lang),
            "pushes_out": list(self.pushes_out),
            "tokens": self.tokens,
        }


def remedies(scenario: Scenario, trace: Trace, story: Story) -> tuple[Remedy, ...]:
    """Pin it, or a larger window; nothing where the text is kept or was never there."""
    if not story.found or story.fate == "kept":
        return ()
    return tuple(
        remedy for remedy in (_pin(scenario, trace, story.text), _window(scenario, trace, story.text)) if remedy
    )


def _pin(scenario: Scenario, trace: Trace, text: str) -> Remedy | None:
    changed = build(scenario, replace(trace.settings, pins=(*trace.settings.pins, text)))
    if not keeps(changed, text):
        return None
    return _remedy(trace, changed, ("--pin", text), "remedy-pin", {"text": text})


def _window(scenario: Scenario, trace: Trace, text: str) -> Remedy | None:
    """The smallest window that keeps the text, with the reserve as it is now."""
    reserve = trace.budget.reserve

    def at(window: int) -> Trace:
        return build(scenario, replace(trace.settings, window=window, reserve=reserve))

    low = trace.budget.window
    high = _first_that_keeps(lambda window: keeps(at(window), text), low, _enough(trace))
    if high is None:
        return None
    while high - low > 1:  # between a window that loses the text and one that keeps it lies a smallest that keeps it
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(at(middle), text) else (middle, high)
    argv = ("--window", str(high), "--reserve", str(reserve))
    return _remedy(trace, at(high), argv, "remedy-window", {"window": high, "now": trace.budget.window})


def _first_that_keeps(works: Callable[[int], bool], low: int, most: int) -> int | None:
    high = low
    while high < most:
        high = min(most, 2 * high)
        if works(high):
            return high
    return None


def _enough(trace: Trace) -> int:
    """A window that holds everything the scenario has, several times over."""
    everything = sum(item.tokens for item in trace.inputs)
    return max(64 * (everything + trace.floor + trace.budget.reserve + 1000), 2 * trace.budget.window, 256_000)


def keeps(trace: Trace, text: str) -> bool:
    return (trace.fits or trace.may_overflow) and trace.story(text).fate == "kept"


def _remedy(before: Trace, after: Trace, argv: tuple[str, ...], rule: str, facts: dict[str, Any]) -> Remedy:
    left = {item.id for item in after.final.items}
    out = tuple(item.id for item in before.final.items if item.id not in left)
    return Remedy(argv, rule, {**facts, "out": len(out)}, out, after.totals.total)
