"""ToolResultCompactor: long tool output is shortened before it eats the history's share (article 2, §7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.item import Source
from ctxcore.payload import Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class ToolResultCompactor:
    name: ClassVar[str] = "tool-result-compactor"
    enabled: bool = field(default=False, metadata={"about": "run this stage"})
    max_tokens: int = field(default=600, metadata={"about": "tokens of one result, at most"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        for item in payload.items:
            if item.source is not Source.TOOL or item.pinned or item.tokens <= self.max_tokens:
                continue
            text = services.compressor.compress(
                item.text, query=payload.query, max_tokens=self.max_tokens, counter=payload.counter, source=item.source
            )
            if text and payload.counter.count(text) < item.tokens:
                edit.compress(item, text, "long-result", above=self.max_tokens)
        return edit.done()
