"""What would keep a text that was lost, or lose one that is kept: the smallest change of each kind, found by building
again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ctxcore.explaining.budget_moves import Move
from ctxcore.explaining.moves import away, back
from ctxcore.explaining.probing import THOROUGH, Axis, Care, Found, first_where
from ctxcore.explaining.why import Story, fate_of
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.trace import Trace
from ctxcore.words import sentence


@dataclass(frozen=True, slots=True)
class Remedy:
    """`argv` appended to the same call does it, as `settings` do; `pushes_out` leaves for it, `brings_in` enters;
    `tokens` is the new total. `proven`: no smaller change of its kind would do."""

    argv: tuple[str, ...]
    rule: str
    facts: Mapping[str, Any]
    pushes_out: tuple[str, ...]
    tokens: int
    brings_in: tuple[str, ...]
    settings: Settings
    proven: bool = True

    def says(self, lang: str) -> str:
        told = sentence(self.rule, self.facts, lang)
        return told if self.proven else f"{told} {sentence('remedy-unproven', {}, lang)}"

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "argv": list(self.argv),
            "says": self.says(lang),
            "rule": self.rule,
            "pushes_out": list(self.pushes_out),
            "brings_in": list(self.brings_in),
            "tokens": self.tokens,
            "smallest": self.proven,
        }


def remedies(scenario: Scenario, trace: Trace, story: Story, services: Services | None = None) -> tuple[Remedy, ...]:
    """What brings the text back; nothing where it is kept or was never there. `services`: those of the trace."""
    return tuple(each_remedy(scenario, trace, story, services=services))


def losses(scenario: Scenario, trace: Trace, story: Story, services: Services | None = None) -> tuple[Remedy, ...]:
    """What takes the text out; nothing where it is not in."""
    return tuple(each_loss(scenario, trace, story, services=services))


def each_remedy(
    scenario: Scenario, trace: Trace, story: Story, care: Care = THOROUGH, services: Services | None = None
) -> Iterator[Remedy]:
    """The same one by one, as they are found: a system whose stages must be run for every budget takes its time."""
    if story.found and story.fate != "kept":
        wanted = partial(keeps, text=story.text)
        yield from _found(Search(scenario, trace, story.text, "remedy", wanted, care, services), back(trace, story))


def each_loss(
    scenario: Scenario, trace: Trace, story: Story, care: Care = THOROUGH, services: Services | None = None
) -> Iterator[Remedy]:
    if story.fate == "kept":
        wanted = partial(loses, text=story.text)
        yield from _found(Search(scenario, trace, story.text, "loss", wanted, care, services), away(trace, story))


def keeps(trace: Trace, text: str) -> bool:
    return _is_sent(trace) and fate_of(trace, text) == "kept"


def loses(trace: Trace, text: str) -> bool:
    return _is_sent(trace) and fate_of(trace, text) != "kept"


def _is_sent(trace: Trace) -> bool:
    return trace.fits or trace.may_overflow


@dataclass(frozen=True)
class Search:
    scenario: Scenario
    trace: Trace
    text: str
    family: str  # remedy | loss
    wanted: Callable[[Trace], bool]
    care: Care
    services: Services | None = None


def _found(search: Search, moves: Iterator[Move]) -> Iterator[Remedy]:
    for move in moves:
        axis, kept = Axis(search.scenario, move.at, move.places, search.services), search.family == "remedy"
        found = first_where(axis, search.text, search.wanted, kept=kept, care=search.care)
        if found:
            yield _remedy(search.trace, move, found, search.family)


def _remedy(before: Trace, move: Move, found: Found, family: str) -> Remedy:
    out, into = exchanged(before, found.trace)
    facts = {**move.facts(found.place), "out": len(out)}
    argv, settings = move.argv(found.place), move.at(found.place)
    total = found.trace.totals.total
    return Remedy(argv, f"{family}-{move.rule}", facts, out, total, into, settings, found.proven)


def exchanged(before: Trace, after: Trace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids of what leaves the payload, and of what enters it, from one build to another."""
    old, new = {item.id: None for item in before.final.items}, {item.id: None for item in after.final.items}
    return tuple(key for key in old if key not in new), tuple(key for key in new if key not in old)
