"""Summarize: long items become shorter, and say that they were (article 1, step 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class Summarize:
    """Compress what Select admitted at a target; with `trigger` = always, whatever is longer than `max_item_tokens`.

    The article's lengths are in characters: 500 for a tool result, 300 for the rest, 600 tokens at most.
    """

    name: ClassVar[str] = "summarize"
    trigger: str = field(default="needed", metadata={
        "choices": ("needed", "always"), "about": "needed: only what its limit or the room would not hold; always: as article 1"})
    max_item_tokens: int = field(default=2000, metadata={"about": "always: tokens above which an item is compressed"})
    marker: str = field(default="[压缩] ", metadata={"about": "stands before a compressed text"})
    tool_chars: int = field(default=500, metadata={"about": "always: characters of a compressed tool result"})
    other_chars: int = field(default=300, metadata={"about": "always: characters of any other compressed text"})
    max_tokens: int = field(default=600, metadata={"about": "always: tokens of a compressed text, at most"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        todo = [item for item in payload.items if self._concerns(item)]
        if not todo:
            return payload
        edit = payload.edit(self.name)
        for item in todo:
            self._compress(item, payload, services, edit)
        return edit.done()

    def _concerns(self, item: Item) -> bool:
        if item.is_media or item.calls:
            return False
        return estimate(item) > self.max_item_tokens if self.trigger == "always" else item.target is not None

    def _compress(self, item: Item, payload: Payload, services: Services, edit: Editor) -> None:
        aim = item.target if item.target is not None else self.max_tokens
        room = aim - payload.counter.count(self.marker)
        text = services.compressor.compress(item.text, query=payload.query, max_tokens=room, counter=payload.counter)
        if self.trigger == "always":
            text = text[: self.tool_chars if item.source is Source.TOOL else self.other_chars]
        if not text:
            return edit.drop(item, "cannot-compress", aim=aim)
        short = self.marker + text
        if payload.counter.count(short) >= item.tokens:
            return edit.keep(item, "would-grow", after=payload.counter.count(short))
        if self.trigger == "always":
            edit.compress(item, short, "long-item", estimate=estimate(item), above=self.max_item_tokens, chars=len(text))
        else:
            edit.compress(item, short, "to-target", aim=aim, limit=item.limit)


def estimate(item: Item) -> int:
    """Tokens as article 1 guesses them: a third of the characters, of the text as its Gather writes it."""
    return len(as_gathered(item)) // 3


def as_gathered(item: Item) -> str:
    """The item's text with the label that article 1 puts before it."""
    if item.source is Source.TOOL and not item.message:
        return f"[工具: {item.name}]\n{item.text}"
    if item.source in (Source.CONVERSATION, Source.TOOL, Source.SUMMARY):
        return f"[{item.role}]: {item.text}"
    return item.text
