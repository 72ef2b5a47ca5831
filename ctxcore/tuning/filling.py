"""Select at every budget of an axis at once: what `stages/selection.py` decides for one budget, as arrays.

A budget is a place in the arrays, and each place is filled as Select fills it: in the same order, by the same
comparisons. So nothing is searched or assumed, not even that a larger budget keeps more. A test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxcore.groups import Group, groups_of, singles
from ctxcore.item import Item, Source
from ctxcore.payload import Payload
from ctxcore.stages.select import Select
from ctxcore.stages.selection import FIRST, LIMIT_OF, TOKENS, parted
from ctxcore.stages.summarize import estimate
from ctxcore.stages.telling import in_words
from ctxcore.tuning.axis import Array, Budgets
from ctxcore.tuning.edges import edges_of, either
from ctxcore.tuning.squeezing import squeezed

ENDLESS = 1 << 30  # the room of a Select that does not hold it


class Filling:
    """For each item the edges of the budgets at which it is kept, and of those at which it counts to the newest turns;
    and the tokens that it is compressed to, by place."""

    def __init__(self, stage: Select, payload: Payload, budgets: Budgets) -> None:
        import numpy as np

        self.np, self.stage, self.payload = np, stage, payload
        self.caps = {name: caps.astype(np.int32) for name, caps in budgets.caps.items()}
        self.limits = {name: caps.copy() for name, caps in self.caps.items()}
        room = budgets.rooms - budgets.fixed if stage.hold_room else np.full(len(budgets.rooms), ENDLESS)
        self.room = room.astype(np.int32)
        long = np.maximum(stage.min_target, np.rint(stage.long_item * budgets.scale).astype(np.int32))
        self.long = {limit: np.minimum(long, cap) for limit, cap in self.caps.items()}
        self.size = estimate if stage.measure == "thirds" else TOKENS
        self.everywhere = np.ones(len(room), bool)
        self.kept: dict[str, Array] = {}
        self.recent: dict[str, Array] = {}
        self.aims: dict[str, dict[int, int]] = {}
        self.gone: dict[str, Array] = {}  # message → the budgets at which its words were dropped
        self.closed: dict[str, Array] = {}  # limit → the budgets at which the article's loop has stopped
        self._fill_all()

    def _fill_all(self) -> None:
        whole = self.stage.whole_groups
        groups = groups_of(self.payload.items) if whole else singles(self.payload.items)
        fixed, talk, lone = parted(groups, self.payload.question, whole)
        for group in fixed:
            self._take(group, "recent", slice(None), self.everywhere)
            self._note(group, self.everywhere, 0)
        for source in FIRST:
            self._fill(sorted(_of(lone, source), key=lambda g: g.first.priority))
        older = self._recent(talk) if self.stage.split_recent else [(group, self.everywhere) for group in talk]
        by_age = (lambda g: (g.first.priority, -g.turn)) if self.stage.split_recent else (lambda g: g.first.priority)
        self._fill(sorted(_of(lone, Source.TOOL), key=by_age), self.stage.long_share)
        self._fill(sorted(_of(lone, Source.DOC), key=lambda g: -g.first.relevance), self.stage.long_share)
        for group, where in older:
            self._admit(group, "history", where)

    def _fill(self, groups: Sequence[Group], share: float = 1.0) -> None:
        for group in groups:
            self._admit(group, "", self.everywhere, share if len(groups) > 1 else 1.0)

    def _recent(self, newest: Sequence[Group]) -> list[tuple[Group, Array]]:
        """What `recent` does not hold any more, with the budgets at which that is so."""
        older, still = [], self.everywhere
        for group in newest:
            still = still & ~self._is_first_lacking("recent", self._demand(group, "recent"), slice(None))
            self.recent[group.first.id] = edges_of(still)
            self._admit(group, "recent", still)
            older.append((group, ~still))
        return older

    def _is_first_lacking(self, what: str, demand: Mapping[str, int], at: slice, cost: int = 0) -> Array:
        """Where `what` is the first of the limits, and of the room after them, that does not hold the group."""
        held = self.everywhere[at]
        for limit, tokens in demand.items():
            if limit == what:
                return held & (self.limits[limit][at] < tokens)
            held = held & (self.limits[limit][at] >= tokens)
        return held & (self.room[at] < cost) if what == "room" else ~self.everywhere[at]

    def _admit(self, group: Group, talk: str, where: Array, share: float = 1.0) -> None:
        """Keep the group where its limits and the room hold it, whole or compressed."""
        if not where.any():
            return
        at = slice(int(where.argmax()), len(where) - int(where[::-1].argmax()))
        where, demand = where[at], self._demand(group, talk)
        if group.is_media and group.first.message in self.gone:
            where = where & ~self.gone[group.first.message][at]
        for limit in self.closed.keys() & demand.keys():
            where = where & ~self.closed[limit][at]
        whole = where & (self.room[at] >= group.cost)
        for limit, tokens in demand.items():
            whole &= self.limits[limit][at] >= tokens
        out = where & ~whole
        places, targets = squeezed(self, group, talk, share, at.start + self._squeezable(group, talk, at, out))
        if group.first.is_media:
            places, targets = self._told(group, talk, at, out)
        self._take(group, talk, at, whole)
        if len(places):
            self._take_short(group, talk, places, targets)
            whole[places - at.start], out[places - at.start] = True, False
        self._note(group, whole, at.start)
        if group.has_pictures or self.stage.on_misfit == "stop":
            self._refuse(group, demand, at, out)

    def _squeezable(self, group: Group, talk: str, at: slice, out: Array) -> Array:
        """The places at which an item of the group is long enough to be compressed."""
        able = [i for i in group.items if not (i.pinned or i.is_media or i.calls)] * self.stage.admit_compressed
        long = [item.tokens > self.long[self.limit(item, talk)][at] for item in able]
        return self.np.flatnonzero(out & self.np.any(long, axis=0)) if long else self.np.zeros(0, self.np.int64)

    def _told(self, group: Group, talk: str, at: slice, out: Array) -> tuple[Array, dict[str, Array]]:
        """The places at which a picture, sound or file is admitted by its caption or transcript."""
        item, limit = group.first, self.limit(group.first, talk)
        tokens = in_words(self.payload, item) if self.stage.admit_compressed else 0
        if not tokens:
            return self.np.zeros(0, self.np.int64), {}
        fits = (self.limits[limit][at] >= tokens) & (self.room[at] >= group.cost - item.tokens + tokens)
        places = at.start + self.np.flatnonzero(out & fits)
        return places, {item.id: self.np.full(len(places), tokens)}

    def _refuse(self, group: Group, demand: Mapping[str, int], at: slice, out: Array) -> None:
        for message in group.messages if group.has_pictures else ():
            self.gone.setdefault(message, ~self.everywhere)[at] |= out
        for limit in (*demand, "room") if self.stage.on_misfit == "stop" else ():
            lacks = self._is_first_lacking(limit, demand, at, group.cost)
            self.closed.setdefault(limit, ~self.everywhere)[at] |= lacks & out

    def _take(self, group: Group, talk: str, at: slice, where: Array) -> None:
        subtract = self.np.subtract
        subtract(self.room[at], group.cost, out=self.room[at], where=where)
        for limit, tokens in self._demand(group, talk).items():
            subtract(self.limits[limit][at], tokens, out=self.limits[limit][at], where=where)

    def _take_short(self, group: Group, talk: str, places: Array, targets: Mapping[str, Array]) -> None:
        """The group with its items at their targets: their own size where they stay whole."""
        self.room[places] -= group.cost
        for item in group.items:
            limit, aim = self.limit(item, talk), targets.get(item.id)
            if aim is None:
                self.limits[limit][places] -= self.size(item)
                continue
            less = aim < item.tokens
            self.room[places] += item.tokens - aim
            self.limits[limit][places] -= self.np.where(less, aim, self.size(item))
            self.aims.setdefault(item.id, {}).update(zip(places[less].tolist(), aim[less].tolist(), strict=True))

    def _note(self, group: Group, where: Array, start: int) -> None:
        edges = edges_of(where, start)
        for item in group.items:
            self.kept[item.id] = either(self.kept[item.id], edges) if item.id in self.kept else edges

    def limit(self, item: Item, talk: str) -> str:
        if item.message and not self.stage.whole_groups and item.source is Source.TOOL:
            return talk
        return LIMIT_OF.get(item.source, talk)

    def _demand(self, group: Group, talk: str) -> dict[str, int]:
        demand: dict[str, int] = {}
        for item in group.items:
            limit = self.limit(item, talk)
            demand[limit] = demand.get(limit, 0) + self.size(item)
        return demand


def _of(groups: Sequence[Group], source: Source) -> list[Group]:
    return [group for group in groups if group.first.source is source]
