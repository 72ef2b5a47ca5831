"""The places of an axis at which a text can have the wanted fate at all: exactly, for many budgets at once.

Where Select decides (`tuning/filling.py` computes it for all budgets), a text can only be in the payload where one of
its items is admitted: whole, or so long that Summarize leaves the text in. And it can only be out of it where that is
not so, or where the last measurement may take something out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from ctxcore.build import Plan, build, build_budget, planned
from ctxcore.defaults import built_in_services
from ctxcore.errors import CtxError
from ctxcore.explaining.why import holds
from ctxcore.item import Item
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.tuning.axis import WINDOW, Array, Budgets, budgets_of
from ctxcore.tuning.axis import Axis as Tuned
from ctxcore.tuning.edges import holds_at
from ctxcore.tuning.filling import Filling
from ctxcore.tuning.reach import settled_from
from ctxcore.tuning.selecting import Deciding, deciding
from ctxcore.tuning.writing import risky, written

BLOCK = 2_048  # places of the first array; each is four times as long as the one before
LONGEST = 65_536
FARTHEST = 1_000_000  # places that are computed before a search gives up
BUDGET = {"window", "limits", "reserve"}  # the settings on which nothing but the budget hangs


@dataclass(frozen=True)
class Likely:
    """The text's items, and what Select and Summarize do at any place."""

    scenario: Scenario
    at: Callable[[int], Settings]
    places: Sequence[int]
    text: str
    plan: Plan
    deciding: Deciding
    stop: int | None  # from this window on, nothing changes any more

    def walk(self, kept: bool) -> Iterator[int]:
        """The places at which the text may be kept (or else: lost), in their order."""
        begin, length = 0, BLOCK
        while begin < min(len(self.places), FARTHEST):
            block = self.places[begin : begin + length]
            if self.stop is not None and block[0] > self.stop and block[0] < block[-1]:
                return
            yield from self._in(block, kept)
            begin, length = begin + length, min(4 * length, LONGEST)

    @property
    def beyond(self) -> Sequence[int]:
        """What is not walked: too far, and yet not where nothing changes any more."""
        rest = self.places[FARTHEST:]
        return rest if self.stop is None or (rest and min(rest[0], rest[-1]) <= self.stop) else ()

    def _in(self, block: Sequence[int], kept: bool) -> Iterator[int]:
        known, budgets = self._budgets(block)
        if not known:
            return
        filling = Filling(self.deciding.select, self.plan.payload, budgets)
        edges = written(self.plan.payload.items, filling, self.deciding.construct)
        sure, maybe = self._sure(filling, edges, len(known))
        wanted = sure | maybe
        if not kept:
            wanted = ~wanted
            if self.deciding.construct.safety_net:
                wanted[risky(self.plan.payload, filling, self.deciding.construct, edges)] = True
        yield from self._in_order(block, known, wanted)

    @staticmethod
    def _in_order(block: Sequence[int], known: Sequence[int], wanted: Array) -> list[int]:
        chosen = [place for place, is_wanted in zip(known, wanted.tolist(), strict=True) if is_wanted]
        return sorted(chosen, reverse=len(block) > 1 and block[0] > block[1])

    def _sure(self, filling: Filling, edges: dict[str, Array], count: int) -> tuple[Array, Array]:
        """Where an item with the text is admitted whole; and where shortened, with the text still in it."""
        import numpy as np

        sure, maybe = np.zeros(count, bool), np.zeros(count, bool)
        for item in self._items:
            there, short = holds_at(edges[item.id], np.arange(count)), np.zeros(count, bool)
            aims = filling.aims.get(item.id, {})
            short[list(aims)] = True
            sure |= there & ~short
            maybe[[place for place, aim in aims.items() if self._says(item, aim)]] = True
        return sure, maybe

    @cached_property
    def _items(self) -> tuple[Item, ...]:
        return tuple(item for item in self.plan.payload.items if holds(item.text, self.text))

    @cached_property
    def _said(self) -> dict[tuple[str, int], bool]:
        return {}

    def _says(self, item: Item, aim: int) -> bool:
        """Whether the text is still said by what Summarize makes of the item."""
        key = (item.id, aim)
        if key not in self._said:
            asked = replace(item, target=aim)
            short = self.deciding.summarize.short(asked, self.plan.payload, self.plan.services)
            grows = self.plan.payload.counter.count(short) >= item.tokens  # it stays whole
            self._said[key] = bool(short) and (grows or holds(short, self.text))
        return self._said[key]

    def _budgets(self, block: Sequence[int]) -> tuple[list[int], Budgets]:
        """The places in rising order, without those that are an error, and their budgets."""
        if self.stop is not None:
            low, high = min(block), max(block)
            asked = self.at(low)
            return list(range(low, high + 1)), budgets_of(Tuned(self.scenario, asked, WINDOW, low, high))
        return _one_by_one(self.scenario, self.at, sorted(block))


def _one_by_one(scenario: Scenario, at: Callable[[int], Settings], block: Sequence[int]) -> tuple[list[int], Budgets]:
    import numpy as np

    known, found = [], []
    for place in block:
        try:
            found.append(build_budget(scenario, at(place)))
            known.append(place)
        except CtxError:
            continue
    names = [limit.name for limit in found[0].limits] if found else []
    caps = [budget.caps() for budget in found]
    return known, Budgets(
        np.array([budget.room for budget in found], np.int64),
        {name: np.array([one[name] for one in caps], np.int64) for name in names},
        np.array([budget.scale for budget in found]),
        found[0].fixed if found else 0,
    )


def likely(
    scenario: Scenario,
    at: Callable[[int], Settings],
    places: Sequence[int],
    text: str,
    services: Services | None = None,
) -> Likely | None:
    """None where it cannot be told: other stages than Select's decide, or more than the budget changes."""
    if len(places) < 2:
        return None
    first, last = at(places[0]), at(places[-1])
    changed = {field.name for field in fields(Settings) if getattr(first, field.name) != getattr(last, field.name)}
    if not changed or not changed <= BUDGET:
        return None
    try:
        plan = planned(scenario, first, services or built_in_services())
        found = deciding(first, plan.system, plan.payload.counter)
        if found is None or found.summarize.trigger != "needed":
            return None
        for stage in plan.stages[:-3]:  # Gather, and what the user muted
            plan = replace(plan, payload=stage.apply(plan.payload, plan.services))
        if any(item.is_media and holds(item.said, text) for item in plan.payload.items):
            return None  # the words of a picture are there where it is told in words alone
    except CtxError:
        return None
    stop = settled_from(build(scenario, first, services=services)) if changed == {WINDOW} else None
    return Likely(scenario, at, places, text, plan, found, stop)
