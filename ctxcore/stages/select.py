"""Select: what may go in, each source under its limit (article 1, step 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.fitting import Group, Purse, groups_of, is_fixed
from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services
from ctxcore.stages.squeeze import squeeze

LIMIT_OF = {Source.SYSTEM: "system", Source.STATE: "state", Source.NOTE: "notes", Source.MEMORY: "notes",
            Source.PROFILE: "notes", Source.TOOL: "tools", Source.DOC: "docs"}


@dataclass(frozen=True)
class Select:
    """Fill the limits in the article's order; whole groups, newest turns first, documents by relevance.

    What does not fit whole may be admitted at the size that Summarize shall bring it to: `target` on the item.
    """

    name: ClassVar[str] = "select"
    admit_compressed: bool = field(default=True, metadata={"about": "admit a long item at the size it can be compressed to"})
    long_item: int = field(default=2000, metadata={"about": "tokens above which an item may be compressed; scales as the caps do"})
    min_target: int = field(default=24, metadata={"about": "tokens below which compressing is not worth it"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        return _Selection(self, payload).done()


class _Selection:
    def __init__(self, stage: Select, payload: Payload) -> None:
        self.stage, self.payload = stage, payload
        self.edit: Editor = payload.edit(stage.name)
        self.purse = Purse(payload.budget)
        self.caps = payload.budget.caps()
        self.long = max(stage.min_target, round(stage.long_item * payload.budget.scale))
        self.gone: set[str] = set()  # messages whose words were dropped: their pictures go with them

    def done(self) -> Payload:
        groups = groups_of(self.payload.items)
        free = self._always(groups)
        for source in (Source.STATE, Source.NOTE, Source.MEMORY, Source.PROFILE):
            self._fill(sorted(_of(free, source), key=lambda g: g.first.priority))
        older = self._recent([g for g in free if _is_talk(g)])
        self._fill(sorted(_of(free, Source.TOOL), key=lambda g: (g.first.priority, -g.turn)))
        self._fill(sorted(_of(free, Source.DOC), key=lambda g: -g.first.relevance))
        for group in older:
            self._admit(group, "history")
        return self.edit.done()

    def _always(self, groups: Sequence[Group]) -> list[Group]:
        """System texts, the question and pins: kept whatever they cost. Returns the groups that must compete."""
        free = []
        for group in groups:
            if not is_fixed(group, self.payload):
                free.append(group)
                continue
            demand = self._demand(group, "recent")
            self.purse.take(demand, group.cost)
            for item in group.items:
                self.edit.note(item, "pinned" if group.pinned else "always", limit=self._limit(item, "recent"))
        for limit in ("system", "recent"):
            if self.purse.limits[limit] < 0:
                over = [g.first.id for g in groups if is_fixed(g, self.payload) and limit in self._demand(g, "recent")]
                self.edit.report("over-cap", "warning", over, limit=limit, cap=self.caps[limit], over=-self.purse.limits[limit])
        return free

    def _fill(self, groups: Iterable[Group]) -> None:
        for group in groups:
            self._admit(group, "recent")

    def _recent(self, groups: Sequence[Group]) -> list[Group]:
        """The newest whole groups fill `recent` until it is full; the rest, newest first, is history."""
        newest = sorted(groups, key=lambda g: (-g.turn, g.first.at))
        for at, group in enumerate(newest):
            lacking = self.purse.lacking(self._demand(group, "recent"), group.cost)
            if lacking == "recent":
                return newest[at:]
            self._admit(group, "recent")
        return []

    def _admit(self, group: Group, talk: str) -> None:
        """Keep the group if its limits and the room hold it, whole or compressed; drop it otherwise."""
        if group.first.is_media and group.first.message in self.gone:
            return self.edit.drop(group.items, "message-gone", message=group.first.message)
        demand, cost = self._demand(group, talk), group.cost
        lacking = self.purse.lacking(demand, cost)
        targets: Mapping[str, int] = {}
        if lacking and self.stage.admit_compressed:
            need = {limit: tokens - self.purse.left(limit) for limit, tokens in demand.items()}
            targets = squeeze(group, need, cost - self.purse.left("room"), lambda item: self._limit(item, talk),
                              longer_than=self.long, at_least=self.stage.min_target)
        if lacking and not targets:
            return self._drop(group, lacking)
        saved = {item.id: item.tokens - targets.get(item.id, item.tokens) for item in group.items}
        for item in group.items:
            limit = self._limit(item, talk)
            left = self.purse.left(limit)
            if item.id in targets:
                self.edit.note(item, "fits-compressed", limit=limit, target=targets[item.id], left=left, aim=targets[item.id])
            else:
                self.edit.note(item, "fits", limit=limit, left=left)
            self.purse.take({limit: item.tokens - saved[item.id]}, 0)
        self.purse.room -= cost - sum(saved.values())

    def _drop(self, group: Group, lacking: str) -> None:
        if not group.first.is_media:
            self.gone.update(item.message for item in group.items if item.message)
        left = self.purse.left(lacking)
        if lacking == "room":
            self.edit.drop(group.items, "room", left=left, room=self.payload.budget.room, group=group.tokens)
        elif len(group.items) > 1:
            self.edit.drop(group.items, "group-cap", limit=lacking, left=left, cap=self.caps[lacking], group=group.tokens)
        else:
            self.edit.drop(group.items, "cap", limit=lacking, left=left, cap=self.caps[lacking])

    def _limit(self, item: Item, talk: str) -> str:
        return LIMIT_OF.get(item.source, talk)

    def _demand(self, group: Group, talk: str) -> dict[str, int]:
        demand: dict[str, int] = {}
        for item in group.items:
            limit = self._limit(item, talk)
            demand[limit] = demand.get(limit, 0) + item.tokens
        return demand


def _is_talk(group: Group) -> bool:
    return bool(group.first.group) or group.first.source not in LIMIT_OF


def _of(groups: Iterable[Group], source: Source) -> list[Group]:
    return [group for group in groups if group.first.source is source and not group.first.group]
