"""Two runs on the same sources, read side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ctxcore.comparing.changes import Changed, changes
from ctxcore.comparing.fates import ENDS, Fate, fates
from ctxcore.diff import partners
from ctxcore.item import Item
from ctxcore.placing.expected import expected_recall
from ctxcore.trace import Trace


@dataclass(frozen=True, slots=True)
class Flip:
    """An item with another fate in each run; None where the other sources do not have it."""

    item: Item
    first: Fate | None
    second: Fate | None

    @property
    def gained(self) -> int:
        """Tokens that the second payload holds of it beyond the first's."""
        return (self.second.tokens if self.second else 0) - (self.first.tokens if self.first else 0)

    @property
    def is_lost_or_found(self) -> bool:
        return {_end(self.first), _end(self.second)} & {"lost"} != set()


@dataclass(frozen=True)
class Comparison:
    first: Trace
    second: Trace

    @cached_property
    def changes(self) -> tuple[Changed, ...]:
        return changes(self.first, self.second)

    @cached_property
    def flips(self) -> tuple[Flip, ...]:
        """Items whose fates differ: those lost in one and not in the other first, then the largest."""
        was, now = fates(self.first), fates(self.second)
        met = partners(self.first.inputs, self.second.inputs, by_content=self.is_of_two_files)
        back = {new: old for old, new in met.items()}
        flips = [Flip(item, was[item.id], now.get(met.get(item.id, ""))) for item in self.first.inputs]
        flips += [Flip(item, None, now[item.id]) for item in self.second.inputs if item.id not in back]
        found = [flip for flip in flips if _sight(flip.first) != _sight(flip.second)]
        return tuple(sorted(found, key=lambda flip: (not flip.is_lost_or_found, -abs(flip.gained))))

    @property
    def is_of_two_files(self) -> bool:
        return self.first.scenario is not self.second.scenario and self.first.inputs != self.second.inputs

    @cached_property
    def recalls(self) -> tuple[float, float]:
        """Expected recall of each: a proxy. Over the texts that must be kept, where the scenario names some."""
        return _recall(self.first), _recall(self.second)

    def counts(self, trace: Trace) -> dict[str, int]:
        """How many items met which end."""
        found = [fate.end for fate in fates(trace).values()]
        return {end: found.count(end) for end in ENDS}


def cost(trace: Trace) -> float | None:
    """USD of the prompt of one call at the model's list price; None where that is not known."""
    price = trace.model.input_price
    return None if price is None else trace.totals.total * price / 1_000_000


def _recall(trace: Trace) -> float:
    return expected_recall(trace, trace.scenario.must_keep)


def _end(fate: Fate | None) -> str:
    return fate.end if fate else "lost"


def _sight(fate: Fate | None) -> tuple[str, int] | None:
    return (fate.end, fate.tokens) if fate else None
