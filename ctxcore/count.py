"""The token bill of a request as it stands, from the wire alone: it shares no sum with the trace, so each checks the other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.framing import frame, priming, tool_name_tokens
from ctxcore.images import media_tokens
from ctxcore.item import Source
from ctxcore.media import read_media
from ctxcore.models import Model
from ctxcore.models import model as find_model
from ctxcore.services import Counter
from ctxcore.tokens import counter_for
from ctxcore.tooltext import tool_bill

APPROXIMATE = "approximate"


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    message: int | None  # index in the request; None for what belongs to no message
    tokens: int
    exactness: str
    rule: str


@dataclass(frozen=True, slots=True)
class Bill:
    model: str  # as asked for
    tokenizer: str
    exactness: str
    rows: tuple[Row, ...]
    total: int

    def to_json(self) -> dict[str, Any]:
        rows = [
            {"what": row.what, "message": row.message, "tokens": row.tokens, "exactness": row.exactness, "rule": row.rule}
            for row in self.rows
        ]
        tokenizer = {"name": self.tokenizer, "exactness": self.exactness}
        return {"model": self.model, "tokenizer": tokenizer, "rows": rows, "total": self.total}


def count_request(request: Mapping[str, Any], model: str) -> Bill:
    """Every token of an OpenAI chat request: messages, tools, framing, reply priming. Never raises on odd input.

    Ids, nulls, annotations and unknown fields are free; base64 is never counted as text. `tool_choice` and
    `response_format` cost something too, but nobody has published what: they are left out.
    """
    counter = counter_for(model)
    rows = tuple(_Count(find_model(model), counter).request(request))
    return Bill(model, counter.name, counter.exactness, rows, sum(row.tokens for row in rows))


@dataclass(frozen=True, slots=True)
class _Count:
    model: Model
    counter: Counter

    def request(self, request: Mapping[str, Any]) -> Iterator[Row]:
        messages = _sequence(request.get("messages"))
        yield from self._tools(request, bool(messages) and _mapping(messages[0]).get("role") in ("system", "developer"))
        names = _call_names(messages)
        for index, message in enumerate(messages):
            if isinstance(message, Mapping):
                yield from self._message(message, index, names)
        yield Row("reply priming", None, priming(self.model), self.model.exactness, "priming")

    def _tools(self, request: Mapping[str, Any], first_is_system: bool) -> Iterator[Row]:
        tools = [*_sequence(request.get("tools")), *_sequence(request.get("functions"))]
        bill = tool_bill(self.model, tools, first_is_system, self.counter)
        for row in bill.rows:
            yield Row(f"tool {row.name}", None, row.tokens, self._at_best(APPROXIMATE), row.rule)
        if tools:
            yield Row("tool block", None, bill.block, self._at_best(APPROXIMATE), "tool-block")

    def _message(self, message: Mapping[str, Any], index: int, names: Mapping[str, str]) -> Iterator[Row]:
        role = str(message.get("role", ""))
        calls = _calls(message)
        yield from self._content(message.get("content"), index)
        for name, arguments in calls:
            yield self._text(f"call {name}", index, name, "call-name")
            yield self._text(f"arguments of {name}", index, arguments, "call-arguments")
        name = message.get("name")
        name_tokens = self.counter.count(name) if isinstance(name, str) else 0
        result_tokens = None
        if role == "tool":
            tool = names.get(str(message.get("tool_call_id")), name)
            result_tokens = tool_name_tokens(self.counter, tool if isinstance(tool, str) else "")
        tokens = frame(self.model, role, name_tokens, len(calls), result_tokens)
        is_fitted = bool(calls or result_tokens is not None) and (self.model.chat == "gpt-5" or len(calls) > 1)
        exactness = self._at_best(APPROXIMATE) if is_fitted else self.model.exactness
        yield Row(f"framing of {role or 'message'}", index, tokens, exactness, "framing")

    def _content(self, content: Any, index: int) -> Iterator[Row]:
        if isinstance(content, list | tuple):
            for part in content:
                yield from self._part(part, index)
        elif content is not None:
            yield self._text("text", index, content_text(content), "text")

    def _part(self, part: Any, index: int) -> Iterator[Row]:
        if not isinstance(part, Mapping):
            yield self._text("text", index, content_text(part), "text")
        elif (media := read_media(part)) is not None:
            tokens, exactness = media_tokens(self.model, media)
            rule = f"image-{self.model.image.kind}" if media.kind is Source.IMAGE else f"{media.kind}-size"
            yield Row(str(media.kind), index, tokens, exactness, rule)
        else:
            yield self._text("text", index, part_text(part), "text")

    def _text(self, what: str, index: int, text: str, rule: str) -> Row:
        return Row(what, index, self.counter.count(text), self.counter.exactness, rule)

    def _at_best(self, exactness: str) -> str:
        return "fallback" if self.model.exactness == "fallback" else exactness


def part_text(part: Mapping[str, Any]) -> str:
    """The text of a part that is neither image, sound nor file; "" where it has none."""
    texts = (part.get("text"), part.get("refusal"))
    return next((text for text in texts if isinstance(text, str)), "")


def content_text(content: Any) -> str:
    """Content that is no list, as a model reads it: a string as it is, anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    try:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=str)
    except (TypeError, ValueError, RecursionError):
        return str(type(content))


def _calls(message: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name and arguments of each call, custom tools and the legacy `function_call` included."""
    wire = [_mapping(call) for call in _sequence(message.get("tool_calls"))]
    bodies = [_mapping(call.get("function") or call.get("custom")) for call in wire]
    if isinstance(legacy := message.get("function_call"), Mapping):
        bodies.append(legacy)
    return [
        (content_text(body.get("name")), content_text(body.get("arguments", body.get("input")))) for body in bodies
    ]


def _call_names(messages: Sequence[Any]) -> dict[str, str]:
    """The tool's name by call id."""
    calls = [_mapping(call) for message in messages for call in _sequence(_mapping(message).get("tool_calls"))]
    named = ((call.get("id"), _mapping(call.get("function") or call.get("custom")).get("name")) for call in calls)
    return {key: name for key, name in named if isinstance(key, str) and isinstance(name, str)}


def _sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
