"""Summarize: long items become shorter, and say that they were (article 1, step 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.compressing.json_text import json_value
from ctxcore.compressing.marking import marked, unmarked
from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class Summarize:
    """Compress what Select admitted at a target; with `trigger` = always, whatever is longer than `max_item_tokens`.

    The article's lengths are in characters: 500 for a tool result, 300 for the rest, 600 tokens at most.
    """

    name: ClassVar[str] = "summarize"
    trigger: str = field(
        default="needed",
        metadata={
            "choices": ("needed", "always"),
            "about": "needed: only what its limit or the room would not hold; always: as article 1",
        },
    )
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
        texts = {item.id: self.short(item, payload, services) for item in todo}
        lost = {item.group or item.id: item for item in todo if not texts[item.id]}
        for item in payload.items:
            cause = lost.get(item.group or item.id)
            if cause is item:
                edit.drop(item, "cannot-compress", aim=self._aim(item))
            elif cause:
                edit.drop(item, "message-gone", message=cause.message)
            elif item.id in texts:
                self._compress(item, texts[item.id], edit)
        return edit.done()

    def _concerns(self, item: Item) -> bool:
        if item.is_media:
            return item.target is not None
        if item.calls:
            return False
        return estimate(item) > self.max_item_tokens if self.trigger == "always" else item.target is not None

    def _aim(self, item: Item) -> int:
        return item.target if item.target is not None else self.max_tokens

    def short(self, item: Item, payload: Payload, services: Services) -> str:
        """The marked text, within the aim; "" where not even its beginning fits beside the mark."""
        if item.is_media:
            return item.said
        count, aim = payload.counter.count, self._aim(item)
        source = unmarked(item.text, self.marker)
        was_json = json_value(source) is not None
        room = aim - count(marked("", self.marker, was_json))
        while room > 0:
            text = services.compressor.compress(
                source, query=payload.query, max_tokens=room, counter=payload.counter, source=item.source
            )
            if not text and not was_json:
                text = payload.counter.cut(source, room)  # of blanks, no sentence can be kept
            if self.trigger == "always" and len(text) > (chars := self._chars(item)):
                if was_json:
                    room = min(room - 1, room * chars // len(text))
                    continue
                text = text[:chars]
            short = marked(text, self.marker, was_json)
            over = count(short) - aim  # the mark may break a token in two
            if over <= 0:
                return short if text else ""
            room -= over
        return ""

    def _chars(self, item: Item) -> int:
        return self.tool_chars if item.source is Source.TOOL else self.other_chars

    def _compress(self, item: Item, short: str, edit: Editor) -> None:
        after = edit.payload.counter.count(short)
        if item.is_media:
            edit.compress(item, short, "told-in-words", kind=str(item.source), limit=item.limit)
        elif after >= item.tokens:
            edit.keep(item, "would-grow", after=after)
        elif self.trigger == "always":
            chars = len(short) - len(self.marker)
            edit.compress(item, short, "long-item", estimate=estimate(item), above=self.max_item_tokens, chars=chars)
        else:
            edit.compress(item, short, "to-target", aim=self._aim(item), limit=item.limit)


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
