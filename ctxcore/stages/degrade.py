"""Degrade: over the budget, recall goes first, then old rounds, the persistent layer last (c6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.groups import Group, groups_of, is_fixed
from ctxcore.layers import PERSISTENT, RECALL, WORKING, of_layer, room_left, rounds_of, weight
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services
from ctxcore.stages.shortening import shorten, shortening


@dataclass(frozen=True)
class Degrade:
    """Never dropped are the persistent layer, the question and the board: beyond their share they are reported."""

    name: ClassVar[str] = "degrade"
    enabled: bool = field(default=True, metadata={"about": "run this stage"})
    keep_rounds: int = field(default=3, metadata={"about": "newest rounds that go last"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        caps = payload.budget.caps()
        freed = self._recall(payload, edit, -room_left(payload))
        rounds = rounds_of(payload.items)
        self._old_rounds(payload, edit, rounds[: -self.keep_rounds], caps[WORKING], freed)
        self._newest(payload, edit, services, [group for one in rounds[-self.keep_rounds :] for group in one])
        for layer in (PERSISTENT, RECALL, WORKING):
            left = of_layer(edit.current(), layer)
            if (over := weight(left) - caps[layer]) > 0:
                edit.report("over-cap", "warning", [item.id for item in left], limit=layer, cap=caps[layer], over=over)
        return edit.done()

    def _recall(self, payload: Payload, edit: Editor, over: int) -> int:
        """Drops what was recalled, the least relevant first: it can be recalled again. Returns the tokens freed."""
        freed = 0
        for item in sorted(of_layer(payload.items, RECALL), key=lambda item: item.relevance):
            if freed >= over:
                break
            if not item.pinned:
                edit.drop(item, "degrade-recall", over=over - freed)
                freed += item.tokens + item.frame
        return freed

    def _old_rounds(
        self, payload: Payload, edit: Editor, rounds: Sequence[Sequence[Group]], cap: int, freed: int
    ) -> None:
        """Drops rounds, the oldest first, until the working layer and the room hold what is left."""
        over = max(-room_left(payload) - freed, weight(of_layer(payload.items, WORKING)) - cap)
        for group in (group for one in rounds for group in one):
            if over > 0 and not is_fixed(group, payload.question):
                edit.drop(group.items, "degrade-round", over=over, keep=self.keep_rounds)
                over -= group.cost

    def _newest(self, payload: Payload, edit: Editor, services: Services, groups: Sequence[Group]) -> None:
        """The newest rounds become shorter where that is enough, and go only where it is not, the oldest first."""
        now = edit.current()
        spent = sum(group.cost for group in groups_of(now))
        cap = payload.budget.cap(WORKING) - weight(of_layer(now, WORKING)) + sum(group.tokens for group in groups)
        room = payload.budget.room - payload.budget.fixed - spent + sum(group.cost for group in groups)
        free = [at for at, group in enumerate(groups) if not is_fixed(group, payload.question)]
        plan, over = shortening(groups, free, cap, room)
        for group, targets in zip(groups, plan, strict=True):
            if targets is None:
                edit.drop(group.items, "degrade-round", over=max(0, over), keep=self.keep_rounds)
                continue
            for item in (item for item in group.items if item.id in targets):
                shorten(edit, services, item, targets[item.id], "degrade-shorter", aim=targets[item.id])
