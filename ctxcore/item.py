"""The nouns: what a context is made of. Frozen values; nothing here does I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum  # not Enum: members stay equal when Streamlit reloads this module
from typing import Any


class Source(StrEnum):
    SYSTEM = "system"
    USER = "user"  # the current question
    CONVERSATION = "conversation"
    TOOL = "tool"
    DOC = "doc"
    STATE = "state"
    NOTE = "note"
    MEMORY = "memory"
    PROFILE = "profile"
    IMAGE = "image"
    AUDIO = "audio"
    FILE = "file"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    name: str
    arguments: str  # as the model wrote it: it need not be valid JSON


@dataclass(frozen=True, slots=True)
class Result:
    call_id: str  # "" for a result that answers no call
    name: str  # of the tool; "" where unknown
    content: str


@dataclass(frozen=True, slots=True)
class Media:
    kind: Source  # IMAGE, AUDIO or FILE
    width: int = 0  # pixels; 0 where unknown
    height: int = 0
    detail: str = "auto"
    size: int = 0  # bytes
    label: str = ""  # file name or format
    seconds: float = 0.0  # audio: its length
    said: str = ""  # a sound's transcript, a picture's caption: what may stand for it where it does not fit


Part = Text | Call | Result | Media


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """One piece of context. `id` is stable for life: an item that is cut or compressed alone keeps it.

    Items compare by identity: unchanged items are the same objects in every snapshot.
    """

    id: str
    source: Source
    role: str
    parts: tuple[Part, ...]
    tokens: int  # of its own parts; framing, headings and joins are never counted here
    priority: int = 5  # 1 = first to stay … 10 = first to go
    relevance: float = 1.0  # 0–1, on the scale of the retriever that set it
    turn: int = 0  # position in the input, oldest = 0
    group: str | None = None  # a call and all its results share one
    message: str = ""  # id of the message it belongs to; its media have it too
    at: int = 0  # place of a media part in its message's list of parts
    name: str = ""  # participant, tool or document title
    pinned: bool = False
    parents: tuple[str, ...] = ()  # the items that a summary was made from
    limit: str = ""  # the limit it counts to, where a stage decided that (gssc: recent or history)
    target: int | None = None  # tokens to which a later stage shall compress it
    wire: Mapping[str, Any] | None = None  # the message as it came in
    siblings: int = 1  # items that this message was read into: one for its texts and calls, one for each media part
    intact: bool = True  # still says what the message said
    frame: int = 0  # tokens of framing that its message costs beside the content

    @property
    def text(self) -> str:
        """What a reader sees: texts line by line, a call as `name(arguments)`, an image as `[image 3008×2000]`."""
        return "\n".join(shown(part) for part in self.parts)

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(part for part in self.parts if isinstance(part, Call))

    @property
    def result(self) -> Result | None:
        return next((part for part in self.parts if isinstance(part, Result)), None)

    @property
    def said(self) -> str:
        """What may be written in place of a picture, a sound or a file, with its kind; "" where nothing is known."""
        media = self.parts[0] if self.parts else None
        said = media.said if isinstance(media, Media) else ""
        return f"[{media.kind}] {said}" if isinstance(media, Media) and said else ""

    @property
    def is_media(self) -> bool:
        return bool(self.parts) and isinstance(self.parts[0], Media)


def shown(part: Part) -> str:
    match part:
        case Text(text):
            return text
        case Call(_, name, arguments):
            return f"{name}({arguments})"
        case Result(_, _, content):
            return content
        case Media(kind=Source.IMAGE, width=width, height=height):
            return f"[image {width}×{height}]" if width else "[image, size unknown]"
        case Media(kind=kind, label=label):
            return f"[{kind} {label}]".replace(" ]", "]")


def counted(part: Part) -> tuple[str, ...]:
    """What is tokenized of a part, each text for itself; nothing of media."""
    match part:
        case Text(text):
            return (text,)
        case Call(_, name, arguments):
            return (name, arguments)
        case Result(_, _, content):
            return (content,)
        case _:
            return ()
