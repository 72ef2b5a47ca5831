"""Messages: how items are written for the provider, what that costs, and where each item lies in it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ctxcore.counting.framing import frame, tool_name_tokens
from ctxcore.counting.media import SAID
from ctxcore.counting.models import Model
from ctxcore.counting.tokens import count_joined
from ctxcore.item import Call, Item, Text
from ctxcore.reading import is_media
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """Items in the order in which they are written.

    `joined`: one text made of the items and the literal texts between them. Otherwise the items are the parts of one
    message of the input (its texts and calls first, then what media of it are left), written back as it came.
    """

    role: str
    pieces: tuple[Item | str, ...]
    joined: bool = False
    frame: int | None = None  # tokens of framing, where its first item does not know them

    @property
    def items(self) -> tuple[Item, ...]:
        if not self.joined:
            return cast("tuple[Item, ...]", self.pieces)  # then all of them are items
        return tuple(piece for piece in self.pieces if not isinstance(piece, str))

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(piece if isinstance(piece, str) else piece.text for piece in self.pieces)

    def framing(self, model: Model) -> int:
        if not self.joined:
            return self.items[0].frame if self.frame is None else self.frame
        return frame(model, self.role, result_name_tokens=0 if self.role == "tool" else None)

    def cost(self, model: Model, counter: Counter) -> int:
        """Tokens of the whole message as the provider counts it, framing included."""
        if not self.joined:
            return sum(item.tokens for item in self.pieces if not isinstance(item, str)) + self.framing(model)
        return sum(count_joined(counter, self.texts)) + self.framing(model)

    def spans(self, model: Model, counter: Counter) -> Iterator[tuple[Item, int, int]]:
        """Each item with its token offsets inside the message; the framing comes first."""
        at = self.framing(model)
        sizes = count_joined(counter, self.texts) if self.joined else [item.tokens for item in self.items]
        for piece, size in zip(self.pieces, sizes, strict=True):
            if not isinstance(piece, str):
                yield piece, at, at + size
            at += size


def as_sent(items: Sequence[Item]) -> tuple[Message, ...]:
    """One message for each message of the input, in the order of the items; media join theirs again."""
    gathered: dict[str, list[Item]] = {}
    for item in items:
        gathered.setdefault(item.message or item.id, []).append(item)
    return tuple(Message(parts[0].role, _in_place(parts)) for parts in gathered.values())


def _in_place(parts: list[Item]) -> tuple[Item, ...]:
    """The parts of one message in the order in which it has them; most messages have one."""
    return tuple(sorted(parts, key=lambda item: item.at)) if len(parts) > 1 else (parts[0],)


def without_callers(messages: tuple[Message, ...], model: Model, counter: Counter) -> tuple[Message, ...]:
    """The messages, where a result whose call is not among them does not cost the tool's name."""
    called = {item.group for message in messages for item in message.items if item.calls}
    return tuple(
        replace(m, frame=_bare_frame(m, model, counter))
        if m.role == "tool" and not m.joined and m.items[0].group not in called
        else m
        for m in messages
    )


def _bare_frame(message: Message, model: Model, counter: Counter) -> int:
    name = str((message.items[0].wire or {}).get("name") or "")
    return frame(model, "tool", result_name_tokens=tool_name_tokens(counter, name))


Section = tuple[str, Sequence[Item] | None, str]


def join(role: str, sections: Iterable[Section], label: Callable[[Item], str] | None = None) -> Message | None:
    """One message from sections of (opening text, items, text between items); None where there is no item.

    A section without items is not written; one of None is a closing text. `label` gives a text that is written right
    before an item."""
    pieces: list[Item | str] = []
    for opening, items, between in sections:
        if items is None and pieces:
            pieces.append(opening)
        for at, item in enumerate(items or ()):
            lead = (between if at else opening) + (label(item) if label else "")
            pieces += [lead, item] if lead else [item]
    if not pieces:
        return None
    if isinstance(pieces[0], str):
        pieces[0] = pieces[0].lstrip("\n")
    return Message(role, tuple(piece for piece in pieces if piece != ""), joined=True)


def render(message: Message) -> dict[str, Any]:
    """The message in OpenAI's chat shape; one that nothing touched equals the input, unknown fields included."""
    if message.joined:
        return {"role": message.role, "content": "".join(message.texts)}
    items = message.items
    wire = items[0].wire
    if wire is None:
        return {"role": message.role, "content": items[0].text}
    if len(items) == items[0].siblings and all(item.intact for item in items):
        return copy.deepcopy(dict(wire))
    return _rebuilt(wire, items)


def _rebuilt(wire: Mapping[str, Any], items: Sequence[Item]) -> dict[str, Any]:
    """The message with only those of its parts that are left, and with their text as it is now."""
    out = copy.deepcopy({key: value for key, value in wire.items() if key != "content"})
    told = {item.at: _words(item) for item in items if item.at >= 0 and not item.is_media}  # media, by what they say
    worded = next((item for item in items if not item.is_media and item.at not in told), None)
    if worded and worded.calls and not worded.intact:
        out["tool_calls"] = [_call(call) for call in worded.calls]
    elif worded is None or not worded.calls:
        out.pop("tool_calls", None)
    content = wire.get("content")
    if isinstance(content, list):
        out["content"] = _parts(content, worded, {item.at for item in items if item.is_media}, told) or ""
    else:
        out["content"] = content if worded and worded.intact else (_words(worded) if worded else "")
    return out


def _parts(content: Sequence[Any], worded: Item | None, media: set[int], told: Mapping[int, str]) -> list[Any]:
    """The parts that are left, each in its place; a changed text stands where the first text stood."""
    left: list[Any] = []
    for at, part in enumerate(content):
        if is_media(part):
            if at in media:
                left.append(copy.deepcopy({name: value for name, value in part.items() if name not in SAID}))
            elif at in told:
                left.append({"type": "text", "text": told[at]})
        elif worded and worded.intact:
            left.append(copy.deepcopy(part))
        elif worded and _words(worded):
            left.append({"type": "text", "text": _words(worded)})
            worded = None
    return left


def _words(item: Item) -> str:
    return item.result.content if item.result else "\n".join(part.text for part in item.parts if isinstance(part, Text))


def _call(call: Call) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
