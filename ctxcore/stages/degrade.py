"""Degrade: over the budget, recall goes first, then old rounds, the persistent layer last (c6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.fitting import is_fixed
from ctxcore.layers import PERSISTENT, RECALL, WORKING, of_layer, room_left, rounds_of, weight
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class Degrade:
    """What is in the persistent layer is never dropped, nor is the question or the board: beyond its share it is reported."""

    name: ClassVar[str] = "degrade"
    enabled: bool = field(default=True, metadata={"about": "run this stage"})
    keep_rounds: int = field(default=3, metadata={"about": "newest rounds that go last"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        caps = payload.budget.caps()
        over_room = -room_left(payload)
        over_room -= self._recall(payload, edit, over_room)
        self._rounds(payload, edit, max(over_room, weight(of_layer(payload.items, WORKING)) - caps[WORKING]))
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

    def _rounds(self, payload: Payload, edit: Editor, over: int) -> None:
        """Drops rounds, the oldest first, those among the newest only when nothing else is left."""
        for one in rounds_of(payload.items):
            for group in one:
                if over <= 0:
                    return
                if not is_fixed(group, payload):
                    edit.drop(group.items, "degrade-round", over=over, keep=self.keep_rounds)
                    over -= group.cost
