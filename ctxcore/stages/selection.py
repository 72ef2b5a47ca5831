"""How Select fills the limits: layer by layer, group by group, whole or at the size that compressing brings it to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from ctxcore.fitting import Purse
from ctxcore.groups import Group, groups_of, is_fixed, singles
from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload
from ctxcore.stages.squeeze import squeeze
from ctxcore.stages.summarize import estimate
from ctxcore.stages.telling import in_words

if TYPE_CHECKING:
    from ctxcore.stages.select import Select

LIMIT_OF = {Source.SYSTEM: "system", Source.STATE: "state", Source.TOOL: "tools", Source.DOC: "docs"} | dict.fromkeys(
    (Source.NOTE, Source.MEMORY, Source.PROFILE), "notes"
)
TOKENS = attrgetter("tokens")
FIRST = (Source.STATE, Source.NOTE, Source.MEMORY, Source.PROFILE)


class Selection:
    def __init__(self, stage: Select, payload: Payload, relevances: Mapping[str, float]) -> None:
        self.stage, self.payload, self.relevances = stage, payload, relevances
        self.edit: Editor = payload.edit(stage.name)
        self.purse = Purse(payload.budget) if stage.hold_room else Purse.without_room(payload.budget)
        self.caps = payload.budget.caps()
        long = max(stage.min_target, round(stage.long_item * payload.budget.scale))
        # Tokens above which an item may be compressed: it is long, or more than the whole of its limit.
        self.long = {limit: min(long, cap) for limit, cap in self.caps.items()}
        self.shortest = min(self.long.values(), default=0)
        self.size: Callable[[Item], int] = estimate if stage.measure == "thirds" else TOKENS
        self.gone: set[str] = set()  # messages whose words were dropped: their pictures go with them
        self.closed: set[str] = set()  # limits at which the article's loop has stopped
        self.refused: dict[tuple[str, str, int], list[Group]] = {}  # by rule, by what is full, and by what it has left

    def done(self) -> Payload:
        whole = self.stage.whole_groups
        groups = groups_of(self.payload.items) if whole else singles(self.payload.items)
        fixed, talk, lone = parted(groups, self.payload.question, whole)
        self._always(fixed)
        for source in FIRST:
            self._fill(sorted(_of(lone, source), key=lambda g: (g.first.priority, -g.first.relevance)), "")
        older = self._recent(talk) if self.stage.split_recent else talk
        by_age = (lambda g: (g.first.priority, -g.turn)) if self.stage.split_recent else (lambda g: g.first.priority)
        self._fill(sorted(_of(lone, Source.TOOL), key=by_age), "", share=self.stage.long_share)
        documents = sorted(_of(lone, Source.DOC), key=lambda g: -self.relevances.get(g.first.id, 0.0))
        self._fill(documents, "", share=self.stage.long_share)
        self._fill(older, "history")
        self._drop_refused()
        return self.edit.done()

    def _always(self, fixed: Sequence[Group]) -> None:
        """System texts, the question and pins: kept whatever they cost."""
        for group in fixed:
            self.purse.take(self._demand(group, "recent"), group.cost)
            for item in group.items:
                self.edit.note(item, "pinned" if group.pinned else "always", limit=self._limit(item, "recent"))
        for limit, left in self.purse.limits.items():
            if left < 0:
                over = [g.first.id for g in fixed if limit in self._demand(g, "recent")]
                self.edit.report("over-cap", "warning", over, limit=limit, cap=self.caps[limit], over=-left)

    def _fill(self, groups: Sequence[Group], talk: str, share: float = 1.0) -> None:
        """`share`: how much of a limit a compressed group may take while others wait for it."""
        for group in groups:
            self._admit(group, talk, share if len(groups) > 1 else 1.0)

    def _recent(self, newest: Sequence[Group]) -> Sequence[Group]:
        """The newest whole groups fill `recent` until it is full; the rest, newest first, is history."""
        for at, group in enumerate(newest):
            if self.purse.lacking(self._demand(group, "recent"), group.cost) == "recent":
                return newest[at:]
            self._admit(group, "recent")
        return []

    def _admit(self, group: Group, talk: str, share: float = 1.0) -> None:
        """Keep the group if its limits and the room hold it, whole or compressed; drop it otherwise."""
        if group.is_media and group.first.message in self.gone:
            return self.edit.drop(group.items, "message-gone", message=group.first.message)
        demand = self._demand(group, talk)
        if self.closed and (stopped := self.closed & demand.keys()):
            return self.edit.drop(group.items, "article-after-misfit", limit=min(stopped))
        lacking = self.purse.lacking(demand, group.cost)
        if not lacking:
            return self._keep(group, talk, {})
        may_shrink = self.stage.admit_compressed and group.longest > self.shortest
        targets = (may_shrink and self._targets(group, demand, talk, share)) or self._told(group, talk)
        return self._keep(group, talk, targets) if targets else self._drop(group, lacking)

    def _told(self, group: Group, talk: str) -> dict[str, int]:
        """A picture, sound or file by its caption or transcript, where that is smaller and fits."""
        item = group.first
        tokens = in_words(self.payload, item) if self.stage.admit_compressed else 0
        fits = tokens and not self.purse.lacking({self._limit(item, talk): tokens}, group.cost - item.tokens + tokens)
        return {item.id: tokens} if fits else {}

    def _targets(self, group: Group, demand: dict[str, int], talk: str, share: float) -> dict[str, int]:
        need = {
            limit: tokens - min(self.purse.left(limit), int(share * self.caps[limit]))
            for limit, tokens in demand.items()
        }
        return squeeze(
            group,
            need,
            group.cost - self.purse.left("room"),
            lambda item: self._limit(item, talk),
            longer_than=lambda item: self.long[self._limit(item, talk)],
            at_least=self.stage.min_target,
        )

    def _keep(self, group: Group, talk: str, targets: dict[str, int]) -> None:
        self.purse.room -= group.cost
        for item in group.items:
            limit, target = self._limit(item, talk), targets.get(item.id)
            left = self.purse.left(limit)
            if target is not None:
                self.edit.note(item, "fits-compressed", limit=limit, target=target, left=left, aim=target)
                self.purse.room += item.tokens - target
            elif self.stage.measure == "thirds":
                self.edit.note(item, "article-fits", limit=limit, left=left, estimate=self.size(item))
            else:
                self.edit.note(item, "fits", limit=limit, left=left)
            self.purse.limits[limit] -= self.size(item) if target is None else target

    def _drop(self, group: Group, lacking: str) -> None:
        if group.has_pictures:
            self.gone |= group.messages
        left = self.purse.left(lacking)
        if self.stage.on_misfit == "stop":
            self.closed.add(lacking)
            return self.edit.drop(group.items, "article-cap", limit=lacking, left=left, estimate=self.size(group.first))
        rule = "room" if lacking == "room" else "group-cap" if len(group.items) > 1 else "cap"
        self.refused.setdefault((rule, lacking, left), []).append(group)
        return None

    def _drop_refused(self) -> None:
        """All at once: of a long conversation most groups meet the same fate."""
        for (rule, limit, left), groups in self.refused.items():
            items = [item for group in groups for item in group.items]
            sizes = [group.tokens for group in groups for _ in group.items]
            if limit == "room":
                self.edit.drop(items, rule, left=left, room=self.payload.budget.room, group=sizes)
            else:
                self.edit.drop(items, rule, limit=limit, left=left, cap=self.caps[limit], group=sizes)

    def _limit(self, item: Item, talk: str) -> str:
        """Results in the conversation count to `tools` with their group's calls to the conversation; in the article,
        where there are no groups, they are conversation like any message."""
        if item.message and not self.stage.whole_groups and item.source is Source.TOOL:
            return talk
        return LIMIT_OF.get(item.source, talk)

    def _demand(self, group: Group, talk: str) -> dict[str, int]:
        """Limit → tokens that the group takes of it."""
        if len(group.items) == 1:
            return {self._limit(group.first, talk): self.size(group.first)}
        sizes = group.by_source if self.size is TOKENS else [(item.source, self.size(item)) for item in group.items]
        demand: dict[str, int] = {}
        for source, tokens in sizes:
            limit = LIMIT_OF.get(source, talk)
            demand[limit] = demand.get(limit, 0) + tokens
        return demand


@lru_cache(maxsize=16)
def parted(
    groups: tuple[Group, ...], question: str, whole: bool
) -> tuple[Sequence[Group], Sequence[Group], Sequence[Group]]:
    """What must stay, the rest of the conversation with the newest first, and the rest of the records. Remembered: a
    new budget has the same."""
    fixed: list[Group] = []
    talk: list[Group] = []
    lone: list[Group] = []
    for group in groups:
        (fixed if is_fixed(group, question) else talk if _is_talk(group, whole) else lone).append(group)
    return fixed, sorted(talk, key=attrgetter("age")), lone


def _is_talk(group: Group, whole: bool) -> bool:
    """Without groups, as in the article, a result in the conversation is conversation, answered call or not."""
    first = group.first
    return bool(first.group) or first.source not in LIMIT_OF or (bool(first.message) and not whole)


def _of(groups: Sequence[Group], source: Source) -> list[Group]:
    return [group for group in groups if group.first.source is source]
