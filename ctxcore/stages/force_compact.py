"""ForceCompact: above 85 % of the budget, recall is emptied, two rounds stay, the board takes its tersest form (c7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor
from typing import ClassVar

from ctxcore.board import board_of
from ctxcore.groups import groups_of, is_fixed
from ctxcore.layers import BOARD, RECALL, of_layer, rounds_of
from ctxcore.payload import Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class ForceCompact:
    """85 % of what? Of the window, layers that fill their 10 + 20 + 60 % can meet it; of the room, sooner still."""

    name: ClassVar[str] = "force-compact"
    enabled: bool = field(default=True, metadata={"about": "run this stage"})
    threshold: float = field(default=0.85, metadata={"about": "share of the budget above which it acts, 0–1"})
    of: str = field(
        default="window", metadata={"choices": ("window", "room"), "about": "the budget that the threshold refers to"}
    )
    keep_rounds: int = field(default=2, metadata={"about": "newest rounds that stay"})
    heading: str = field(default="当前任务看板", metadata={"about": "before the terse board"})
    board_chars: int = field(default=60, metadata={"about": "characters of one entry of the terse board, at most"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        budget = payload.budget
        used = budget.fixed + sum(group.cost for group in groups_of(payload.items))
        above = floor(self.threshold * (budget.window if self.of == "window" else budget.room))
        if used <= above:
            return payload
        edit = payload.edit(self.name)
        edit.drop(
            [item for item in of_layer(payload.items, RECALL) if not item.pinned],
            "force-recall",
            used=used,
            above=above,
        )
        for one in rounds_of(payload.items)[: -self.keep_rounds]:
            for group in one:
                if not is_fixed(group, payload.question):
                    edit.drop(group.items, "force-round", used=used, above=above, keep=self.keep_rounds)
        board = next((item for item in payload.items if item.id == BOARD), None)
        if board:
            terse = board_of(payload.items, self.board_chars).terse(self.heading, self.board_chars)
            if payload.counter.count(terse) < board.tokens:
                edit.rewrite(board, terse, "board-terse")
        edit.report("force-compacted", "warning", used=used, above=above, share=round(100 * self.threshold), of=self.of)
        return edit.done()
