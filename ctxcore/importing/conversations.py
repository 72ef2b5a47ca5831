"""JSON values to conversations: which there are, which one is meant, and the scenario made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.errors import WhichConversationError
from ctxcore.importing.wire import kept_messages

LIST_NAMES = ("messages", "history")  # where an object keeps its messages
MOST_LISTED = 20  # conversations in the line of an error
MOST_OFFERED = 500  # conversations that the error carries along


@dataclass(frozen=True, slots=True)
class Found:
    """One conversation as it stands in the file."""

    value: Any  # an object, or a list of messages
    where: str  # such as "line 3" or "/2"; "" for a whole file


def messages_of(value: Any) -> list[Any] | None:
    """The list of messages in a conversation; None where there is none."""
    if isinstance(value, Mapping):
        lists = [value[name] for name in LIST_NAMES if isinstance(value.get(name), list)]
        return next((found for found in lists if any(has_role(item) for item in found)), lists[0] if lists else None)
    return value if isinstance(value, list) else None


def many(values: Sequence[Any], places: Sequence[str]) -> list[Found]:
    """The conversations that a list holds; [] where its items are the messages of one, or nothing known."""
    if any(has_role(value) for value in values):
        return []
    return [Found(value, where) for value, where in zip(values, places, strict=True) if is_conversation(value)]


def is_conversation(value: Any) -> bool:
    return any(has_role(message) for message in messages_of(value) or ())


def picked(found: Sequence[Found], number: int | None, what: str) -> Found:
    """The conversation with that number; the only one where none is given."""
    if number is None and len(found) == 1:
        return found[0]
    if number is not None and 0 <= number < len(found):
        return found[number]
    offered = [_summary(one.value) for one in found[:MOST_OFFERED]]
    listed = "; ".join(f'{at}: "{words}" ({size} messages)' for at, (words, size) in enumerate(offered[:MOST_LISTED]))
    more = f"; and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    asked = "" if number is None else f", none with the number {number}"
    raise WhichConversationError(
        f"{what} holds {len(found)} conversations{asked}: choose one with --conversation N: {listed}{more}.", offered
    )


def has_role(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("role"), str)


def _summary(value: Any) -> tuple[str, int]:
    """Its first words and its number of messages: enough to choose by."""
    messages = kept_messages(messages_of(value) or []).messages
    asked = next((message for message in messages if message["role"] == "user"), messages[0])
    content = asked.get("content")
    if isinstance(content, list):
        content = " ".join(part["text"] for part in content if part.get("type") == "text")
    words = " ".join((content or "").split())
    return f"{words[:50]}{'…' * (len(words) > 50)}", len(messages)
