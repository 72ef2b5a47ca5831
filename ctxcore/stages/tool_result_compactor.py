"""ToolResultCompactor: long tool output is shortened before it eats the history's share (article 2, §7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.compressing.masking import is_masked, masked
from ctxcore.item import Item, Source
from ctxcore.payload import Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class ToolResultCompactor:
    """A masked result leaves one line; its call stays, and the model can make it again."""

    name: ClassVar[str] = "tool-result-compactor"
    enabled: bool = field(default=False, metadata={"about": "run this stage"})
    max_tokens: int = field(default=600, metadata={"about": "tokens of one result, at most"})
    keep_rounds: int = field(
        default=0, metadata={"about": "newest rounds of calls whose results stay; older ones leave a line; 0: all stay"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        old = self._old(payload)
        for item in payload.items:
            if item.source is not Source.TOOL or item.pinned:
                continue
            if item.id in old:
                line, numbers = masked(item)
                if not is_masked(item.text) and payload.counter.count(line) < item.tokens:
                    edit.compress(item, line, "masked-result", rounds=self.keep_rounds, numbers=numbers)
                    continue
            if item.tokens <= self.max_tokens:
                continue
            text = services.compressor.compress(
                item.text, query=payload.query, max_tokens=self.max_tokens, counter=payload.counter, source=item.source
            )
            if text and payload.counter.count(text) < item.tokens:
                edit.compress(item, text, "long-result", above=self.max_tokens)
        return edit.done()

    def _old(self, payload: Payload) -> frozenset[str]:
        """Results of all but the newest rounds; a call with its results is one round, whatever answers it."""
        if self.keep_rounds <= 0:
            return frozenset()
        results = [item for item in payload.items if item.source is Source.TOOL]
        rounds: dict[str, list[Item]] = {}
        for item in sorted(results, key=lambda item: item.turn):
            rounds.setdefault(item.group or item.id, []).append(item)
        return frozenset(item.id for items in list(rounds.values())[: -self.keep_rounds] for item in items)
