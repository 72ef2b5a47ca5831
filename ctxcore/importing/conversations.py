"""The conversations of a file: which there are, which one is meant, and what is said where that is not clear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from ctxcore.counting.encodings import repaired
from ctxcore.errors import InputError, WhichConversationError
from ctxcore.importing.format import Found
from ctxcore.reading import message_text
from ctxcore.scenario import Scenario
from ctxcore.words import Phrase

LIST_NAMES = ("messages", "history")  # where an object keeps its messages
MOST_LISTED = 20  # conversations in the line of an error
MOST_OFFERED = 500  # conversations that the error carries along


@dataclass(frozen=True, slots=True)
class Opened:
    """A scenario, and the ways in which its file can be read: () where there is one only."""

    scenario: Scenario
    readings: tuple[str, ...] = ()
    number: int = 0  # of the reading that this is


def messages_of(value: Any) -> list[Any] | None:
    """The list of messages in a conversation; None where there is none."""
    if isinstance(value, Mapping):
        lists = [value[name] for name in LIST_NAMES if isinstance(value.get(name), list)]
        return next((found for found in lists if any(has_role(item) for item in found)), lists[0] if lists else None)
    return value if isinstance(value, list) else None


def is_conversation(value: Any) -> bool:
    return any(has_role(message) for message in messages_of(value) or ())


def has_role(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("role"), str)


def picked(found: Sequence[Found], number: int | None, what: str) -> int:
    """The conversation with that number; where none is given the only one, or the one that is read by default."""
    defaults = [at for at, one in enumerate(found) if one.is_default]
    if number is None and (len(found) == 1 or defaults):
        return defaults[0] if defaults else 0
    if number is not None and 0 <= number < len(found):
        return number
    if len(found) == 1:
        raise InputError("one-conversation", what=what, number=number)
    offered = [_summary(one) for one in found[:MOST_OFFERED]]
    facts = {"what": what, "count": len(found), "listed": _listed(offered, len(found))}
    if number is None:
        raise WhichConversationError("which-conversation", offered, **facts)
    raise WhichConversationError("no-such-conversation", offered, number=number, **facts)


def _listed(offered: Sequence[tuple[str, int]], count: int) -> Phrase:
    lines = [
        Phrase("conversation-listed", at=at, words=words, size=size)
        for at, (words, size) in enumerate(offered[:MOST_LISTED])
    ]
    listed = reduce(lambda one, other: Phrase("one-and-other", one=one, other=other), lines)
    return Phrase("and-more", listed=listed, count=count - MOST_LISTED) if count > MOST_LISTED else listed


def _summary(one: Found) -> tuple[str, int]:
    """What it is called, or its first words, and its number of messages: enough to choose by."""
    try:
        messages = one.read().messages
    except InputError as error:
        return f"{Phrase('cannot-be-read', told=error.told)}"[:50], 0
    asked = next((message for message in messages if message["role"] == "user"), messages[0] if messages else {})
    words = repaired(one.says) or " ".join(message_text(asked).split())
    return words if len(words) <= 50 else f"{words[:50]}…", len(messages)
