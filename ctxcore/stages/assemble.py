"""Assemble: everything in the order in which it came; nothing is chosen, nothing is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ctxcore.fitting import lose_empty, measured, tell_thoughts
from ctxcore.groups import fixed_items
from ctxcore.item import Item, Source
from ctxcore.message import Message, as_sent, join
from ctxcore.payload import Payload
from ctxcore.services import Services

SECTIONS = (
    (Source.STATE, "system"),
    (Source.NOTE, "system"),
    (Source.MEMORY, "system"),
    (Source.PROFILE, "system"),
    (Source.DOC, "system"),
    (Source.TOOL, "user"),
)


@dataclass(frozen=True)
class Assemble:
    """A chat request comes out as it went in; what is no message stands between system text and conversation."""

    name: ClassVar[str] = "assemble"

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        items, must = lose_empty(edit), fixed_items(payload)
        messages = _layout(items)
        edit.set(messages=messages, floor=measured(payload, must, _layout(must)).total)
        tell_thoughts(edit, messages)
        return edit.done()


def _layout(items: Sequence[Item]) -> tuple[Message, ...]:
    first = next(
        (at for at, item in enumerate(items) if not (item.message and item.source is Source.SYSTEM)), len(items)
    )
    sections = (
        join(role, (("", [item for item in items if item.source is source and not item.message], "\n\n"),))
        for source, role in SECTIONS
    )
    return (
        *as_sent(items[:first]),
        *(message for message in sections if message),
        *as_sent([item for item in items[first:] if item.message]),
    )
