"""An assembled payload as pieces that can be moved, and written again in another order.

A message of the conversation is a piece; a call and its results are one. Of a message that the pipeline joined from
several sources, each item is a piece, which takes heading and divider of its section along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ctxcore.item import Item
from ctxcore.message import Message

WORDS = "words"  # key of a message that the pipeline wrote without any item


@dataclass(frozen=True, eq=False)
class Section:
    """Neighbours of one source in a joined message: what is written before, between and after them."""

    message: Message
    opening: str = ""
    between: str = ""
    closing: str = ""


@dataclass(frozen=True, eq=False)
class Piece:
    """Whole messages, or items of a section (`inner`: as they are written there, literal texts included)."""

    items: tuple[Item, ...]
    messages: tuple[Message, ...] = ()
    section: Section | None = None
    inner: tuple[Item | str, ...] = field(default=())

    @property
    def key(self) -> str:
        return self.items[0].id if self.items else WORDS


def pieces_of(messages: Sequence[Message]) -> tuple[Piece, ...]:
    found: list[Piece] = []
    for message in messages:
        if message.joined and message.items:
            found += _sections(message)
        elif found and _answers(found[-1], message):
            found[-1] = Piece((*found[-1].items, *message.items), (*found[-1].messages, message))
        else:
            found.append(Piece(message.items, (message,)))
    return tuple(found)


def written(pieces: Iterable[Piece]) -> tuple[Message, ...]:
    """The messages of the pieces in this order: neighbours of one section share its heading again."""
    out: list[Message] = []
    for message, run in groupby(pieces, key=lambda piece: piece.section and piece.section.message):
        if message is None:
            out += [one for piece in run for one in piece.messages]
        else:
            out.append(_joined(message, list(run)))
    return tuple(out)


def _answers(piece: Piece, message: Message) -> bool:
    """Whether a message goes with the piece before it: a result with its call, and words of no item with any."""
    if not piece.messages or not message.items:
        return bool(piece.messages)
    called = piece.messages[-1].role == "tool" or any(item.calls for item in piece.items)
    return message.role == "tool" and called


def _sections(message: Message) -> Iterator[Piece]:
    """Its sections, each as one piece an item; or as one piece where what stands between the items differs."""
    for opening, parts, closing in _runs(message.pieces):
        items = tuple(part for part in parts if not isinstance(part, str))
        between = {part for part in parts if isinstance(part, str)}
        if len(between) > 1 or (between and len(parts) != 2 * len(items) - 1):
            yield Piece(items, section=Section(message, opening, "", closing), inner=tuple(parts))
            continue
        section = Section(message, opening, between.pop() if between else "", closing)
        yield from (Piece((item,), section=section, inner=(item,)) for item in items)


def _runs(parts: Sequence[Item | str]) -> Iterator[tuple[str, list[Item | str], str]]:
    """(text before, items of one source with the texts between them, text after)."""
    opening, run, waiting = "", list[Item | str](), list[str]()
    for part in parts:
        if isinstance(part, str):
            waiting.append(part)
            continue
        last = next((one for one in reversed(run) if not isinstance(one, str)), None)
        if last is not None and (last.source is not part.source or len(waiting) > 1):
            yield opening, run, "".join(waiting[:-1])
            run, waiting = [], waiting[-1:]
        if not run:
            opening, waiting = "".join(waiting), []
        run, waiting = [*run, *waiting, part], []
    if run:
        yield opening, run, "".join(waiting)


def _joined(message: Message, pieces: Sequence[Piece]) -> Message:
    parts: list[Item | str] = []
    for section, run in groupby(pieces, key=lambda piece: piece.section):
        assert section is not None
        parts.append(section.opening)
        for at, piece in enumerate(run):
            parts += [section.between, *piece.inner] if at else piece.inner
        parts.append(section.closing)
    parts = [part for part in parts if part != ""]
    if isinstance(parts[0], str):
        parts[0] = parts[0].lstrip("\n")
    return Message(message.role, tuple(part for part in parts if part != ""), joined=True)
