"""Pictures, sounds and files in words: a caption or a transcript stands for what does not fit as it is (a12)."""

from __future__ import annotations

from collections.abc import Iterable

from ctxcore.item import Item
from ctxcore.payload import Editor, Payload


def in_words(payload: Payload, item: Item) -> int:
    """Tokens of what may stand for a picture, a sound or a file; 0 where nothing may.

    It brings no words, or none that are smaller; it is pinned, a part of the question, or of a call's result.
    """
    asked = payload.question.partition("/")[0]
    if not item.said or item.pinned or item.group or item.role == "tool" or (asked and item.message == asked):
        return 0
    tokens = payload.counter.count(item.said)
    return tokens if tokens < item.tokens else 0


def tell(edit: Editor, items: Iterable[Item], over: int, limit: str) -> dict[str, Item]:
    """Tells in words what can be, the oldest first, until `over` tokens are saved. Returns what it told, by id."""
    told: dict[str, Item] = {}
    for item in items:
        if over <= 0:
            break
        if in_words(edit.payload, item):
            told[item.id] = edit.compress(item, item.said, "told-in-words", kind=str(item.source), limit=limit)
            over -= item.tokens - told[item.id].tokens
    return told
