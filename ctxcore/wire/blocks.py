"""What a request is made of, whichever provider it is for: turns of blocks, each with its place in the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ctxcore.item import Media

KINDS = ("text", "media", "call", "result", "reasoning", "opaque")
NO_ID = "?"  # of a result that does not say which call it answers


@dataclass(frozen=True, slots=True)
class Block:
    """`text`: words, a call's arguments, a result's content, or a thought. `opaque` is what cannot be read: encrypted
    thoughts, results that a server keeps; its `text` says what it is."""

    kind: str
    where: str  # a JSON pointer
    text: str = ""
    id: str = ""  # of a call, or of the call that a result answers
    name: str = ""  # of a call's tool; of a result's, where that is known
    media: Media | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    role: str  # system | developer | user | assistant | tool | function; any other as it came
    index: int | None  # place in the list of messages; None for what stands outside of it
    where: str
    blocks: tuple[Block, ...]
    name: str = ""  # of a participant
    given: Mapping[str, Any] = field(default_factory=dict)  # as it came


@dataclass(frozen=True, slots=True)
class Form:
    """The shape that the answer is asked to have: a JSON schema."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    shape: str  # openai | openai-responses | anthropic | gemini
    turns: tuple[Turn, ...]
    tools: tuple[Any, ...] = ()  # functions in OpenAI's chat shape, all others as they came
    form: Form | None = None
    choice: str = "auto"  # auto | none | required, or the name of the one tool that must be called
    added: tuple[tuple[Any, ...], ...] = ()  # tools that come later, each time in a block of their own
    hidden: tuple[str, ...] = ()  # fields that stand for text which is not in the request

    @property
    def spoken(self) -> int:
        """Index of the last message in which the user said something; -1 where there is none. What follows are calls
        and results: one step of the model."""
        said = (one for one in reversed(self.turns) if one.role == "user" and one.index is not None)
        return next((one.index or 0 for one in said if any(b.kind in ("text", "media") for b in one.blocks)), -1)

    @property
    def calls(self) -> Mapping[tuple[int, str], str]:
        """(Turn, place of the result's block) → name of the tool, from the nearest earlier unanswered call."""
        waiting: dict[str, list[str]] = {}
        found: dict[tuple[int, str], str] = {}
        for at, turn in enumerate(self.turns):
            for block in turn.blocks:
                if block.kind == "call":
                    waiting.setdefault(block.id or f"function:{block.name}", []).append(block.name)
                elif block.kind == "result" and (names := waiting.get(block.id or f"function:{block.name}")):
                    found[at, block.where] = names.pop()
        return found


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def function_tool(name: Any, description: Any, parameters: Any) -> dict[str, Any]:
    """A function in OpenAI's chat shape."""
    body = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": {key: value for key, value in body.items() if value is not None}}
