"""CompressObservation: a tool result is shortened for the current sub-task before it stays in working memory (c11)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.board import Board, board_of
from ctxcore.compressing.json_text import json_value
from ctxcore.compressing.marking import marked, unmarked
from ctxcore.item import Item, Source
from ctxcore.layers import WORKING, of_layer, room_left, weight
from ctxcore.payload import Payload
from ctxcore.services import Services

A_DIGIT = re.compile(r"\d")
CHARS_A_TOKEN = 4  # to turn the article's lengths in characters into tokens, on the safe side for English


@dataclass(frozen=True)
class CompressObservation:
    """Only where the working layer or the room would be exceeded: the oldest results first, until both hold.

    The article's 200 characters (500 at most) are a target; a result that holds numbers may keep up to 500.
    """

    name: ClassVar[str] = "compress-observation"
    trigger: str = field(
        default="needed",
        metadata={
            "choices": ("needed", "always", "never"),
            "about": "needed: only over the working share or the room; always: every long result",
        },
    )
    max_chars: int = field(default=500, metadata={"about": "characters of a compressed result that holds numbers"})
    plain_chars: int = field(default=200, metadata={"about": "characters of any other compressed result"})
    marker: str = field(default="[observation, compressed] ", metadata={"about": "stands before a compressed result"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        if self.trigger == "never":
            return payload
        board = board_of(payload.items, 400)
        size = payload.counter.count(board.text(""))  # the board will be written, and takes its part of the share
        over = size + max(weight(of_layer(payload.items, WORKING)) - payload.budget.cap("working"), -room_left(payload))
        if over <= 0 and self.trigger == "needed":
            return payload
        edit = payload.edit(self.name)
        for item in payload.items:
            aim = self._aim(item)
            if (
                item.source is not Source.TOOL
                or item.pinned
                or item.tokens <= aim
                or (over <= 0 and self.trigger == "needed")
            ):
                continue
            text = self._shorter(item, aim, board, payload, services)
            if text and payload.counter.count(text) < item.tokens:
                over -= item.tokens - edit.compress(item, text, "observation", aim=aim).tokens
        return edit.done()

    def _shorter(self, item: Item, aim: int, board: Board, payload: Payload, services: Services) -> str:
        """Marked, and with the call's fingerprint still at its head (c8); empty where nothing of it can stay."""
        first, newline, rest = item.text.partition("\n")
        head = first + newline if newline and first in board.done else ""
        told = unmarked(rest if head else item.text, self.marker)
        was_json = json_value(told) is not None
        text = services.compressor.compress(
            told,
            query=board.current or payload.query,
            counter=payload.counter,
            max_tokens=aim - payload.counter.count(head + marked("", self.marker, was_json)),
            source=item.source,
        )
        return head + marked(text, self.marker, was_json) if text else ""

    def _aim(self, item: Item) -> int:
        chars = self.max_chars if A_DIGIT.search(item.text, 0, 20_000) else self.plain_chars
        return chars // CHARS_A_TOKEN
