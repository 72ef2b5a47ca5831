"""The prompt as it is sent, readable: messages, and in them the stretch that each item became."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.components.drawn import Mount, Words, draw, register

_PROMPT_VIEW = register(
    "prompt_view", '<div class="list" tabindex="0" role="region"></div><button class="ask" hidden></button>'
)
ASKED = "find:"  # before a text that the reader selected, where an id of an item would be


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    item: str = ""  # "" for headings and joins
    source: str = ""
    size: tuple[int, int] | None = None  # an image's pixels; (0, 0) where unknown; drawn in place of the text


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    tokens: int
    spans: tuple[Span, ...]


def prompt_view(messages: Sequence[Message], mount: Mount) -> str | None:
    """Draws the messages in a scrolling box; the id of the item picked just now, or `find:` and a selected text."""
    rows = [[message.role, message.tokens, [_row(span) for span in message.spans]] for message in messages]
    data = {"messages": rows, "revision": _revision(messages, mount.words), "height": mount.height or 560}
    return draw(_PROMPT_VIEW, data, mount)


def _row(span: Span) -> list[object]:
    return [span.item, span.source, span.text, None if span.size is None else list(span.size)]


def _revision(messages: Sequence[Message], words: Words) -> str:
    """Changes when the text does, so that a mere selection rebuilds nothing. Cheap: a string keeps its hash."""
    content = tuple((m.role, m.tokens, tuple((s.item, s.source, s.text, s.size) for s in m.spans)) for m in messages)
    return f"{hash((content, words['lang'])):x}"
