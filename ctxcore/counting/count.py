"""The token bill of a request as it stands, summed from the wire alone, so that it checks the totals of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ctxcore.counting.framing import frame, priming, tool_name_tokens
from ctxcore.counting.images import media_tokens
from ctxcore.counting.media import content_text, part_text, read_media
from ctxcore.counting.models import Model
from ctxcore.counting.models import model as find_model
from ctxcore.counting.tokens import counter_for
from ctxcore.counting.tooltext import tool_bill
from ctxcore.item import Media, Source
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    message: int | None  # index in the request; None for what belongs to no message
    tokens: int
    exactness: str  # exact | approximate | fallback
    rule: str


@dataclass(frozen=True, slots=True)
class Bill:
    model: str  # as asked for
    tokenizer: str
    exactness: str  # of the tokenizer
    rows: tuple[Row, ...]
    total: int

    def to_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "tokenizer": {"name": self.tokenizer, "exactness": self.exactness},
            "rows": [asdict(row) for row in self.rows],
            "total": self.total,
        }


def count_request(request: Mapping[str, Any], model: str) -> Bill:
    """Every token of an OpenAI chat request: messages, tools, framing, reply priming. Odd input does not raise.

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
        messages = [message if isinstance(message, Mapping) else {} for message in _sequence(request.get("messages"))]
        tools = [*_sequence(request.get("tools")), *_sequence(request.get("functions"))]
        yield from self._tools(tools, bool(messages) and messages[0].get("role") in ("system", "developer"))
        answered = _answered(messages)
        for index, message in enumerate(messages):
            if message:
                yield from self._message(message, index, answered.get(index, ""))
        yield Row("reply priming", None, priming(self.model), self.model.exactness, "priming")

    def _tools(self, tools: Sequence[Any], first_is_system: bool) -> Iterator[Row]:
        bill = tool_bill(self.model, tools, first_is_system, self.counter)
        for row in bill.rows:
            yield Row(f"tool {row.name}", None, row.tokens, self._fitted, row.rule)
        if tools:
            yield Row("tool block", None, bill.block, self._fitted, "tool-block")

    def _message(self, message: Mapping[str, Any], index: int, called: str) -> Iterator[Row]:
        role = str(message.get("role"))
        texts, media = _parts(message.get("content"))
        if role in ("tool", "function") and texts:
            texts = ["\n".join(texts)]  # a result is one text, whatever parts it came in
        for text in texts:
            yield self._text("result" if called else "text", index, text)
        for part in media:
            yield self._media(part, index)
        calls = _calls(message)
        for _, name, arguments in calls:
            yield self._text(f"call {name}", index, name)
            yield self._text(f"arguments of {name}", index, arguments)
        yield self._framing(message, index, len(calls), called)

    def _framing(self, message: Mapping[str, Any], index: int, calls: int, called: str) -> Row:
        role, name = str(message.get("role")), str(message.get("name") or "")
        if role in ("tool", "function"):
            tokens = frame(self.model, role, result_name_tokens=tool_name_tokens(self.counter, called or name))
        else:
            tokens = frame(self.model, role, self.counter.count(name), calls)
        is_fitted = calls > 1 or (self.model.chat == "gpt-5" and (calls > 0 or role == "tool"))
        return Row(f"framing of {role}", index, tokens, self._fitted if is_fitted else self.model.exactness, "framing")

    def _text(self, what: str, index: int, text: str) -> Row:
        return Row(what, index, self.counter.count(text), self.counter.exactness, what.partition(" ")[0])

    def _media(self, media: Media, index: int) -> Row:
        tokens, exactness = media_tokens(self.model, media)
        rule = f"image-{self.model.image.kind}" if media.kind is Source.IMAGE else f"{media.kind}-size"
        return Row(str(media.kind), index, tokens, exactness, rule)

    @property
    def _fitted(self) -> str:
        """The exactness of what is not published but was fitted to recorded bills."""
        return "fallback" if self.model.exactness == "fallback" else "approximate"


def _parts(content: Any) -> tuple[list[str], list[Media]]:
    """Texts and media of a message's content, in order."""
    if not isinstance(content, list | tuple):
        return ([content_text(content)] if content else []), []
    read: list[str | Media] = [
        (read_media(part) or part_text(part)) if isinstance(part, Mapping) else content_text(part) for part in content
    ]
    return [part for part in read if isinstance(part, str)], [part for part in read if isinstance(part, Media)]


def _calls(message: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Id, name and arguments of each call, custom tools and the legacy `function_call` included."""
    wire = [call for call in _sequence(message.get("tool_calls")) if isinstance(call, Mapping)]
    bodies = [(str(call.get("id") or ""), call.get("function") or call.get("custom")) for call in wire]
    if isinstance(legacy := message.get("function_call"), Mapping):
        bodies.append(("", legacy))
    read = [(key, body if isinstance(body, Mapping) else {}) for key, body in bodies]
    return [
        (key, content_text(body.get("name")), content_text(body.get("arguments", body.get("input"))))
        for key, body in read
    ]


def _answered(messages: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Index of each result → name of the tool that gave it: that of the nearest earlier call still unanswered."""
    waiting: dict[str, list[str]] = {}
    answered: dict[int, str] = {}
    for index, message in enumerate(messages):
        for key, name, _ in _calls(message):
            waiting.setdefault(key or f"function:{name}", []).append(name)
        keys = {"tool": str(message.get("tool_call_id") or ""), "function": f"function:{message.get('name')}"}
        if names := waiting.get(keys.get(str(message.get("role")), "")):
            answered[index] = names.pop()
    return answered


def _sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
