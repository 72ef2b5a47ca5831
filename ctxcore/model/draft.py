"""A reply as it comes in: piece by piece from a stream, or whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ctxcore.counting.encodings import repaired
from ctxcore.item import Call
from ctxcore.model.replies import ModelError, Reply
from ctxcore.words import Phrase

_ASIDE = (b":", b"event:", b"id:", b"retry:")  # lines of a stream that carry no piece
_SHOWN = 60  # characters of an answer that is not understood


@dataclass(slots=True)
class Draft:
    """Takes the JSON objects of an answer in their order."""

    texts: list[str] = field(default_factory=list)
    calls: dict[int, list[str]] = field(default_factory=dict)  # index → id, name, arguments
    usage: Mapping[str, Any] = field(default_factory=dict)
    finish: str = ""
    model: str = ""
    half: str = ""  # of a character: some servers cut a stream there

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def take(self, event: Mapping[str, Any]) -> str:
        """The text that the event adds. Raises ModelError: malformed, or what the server says went wrong."""
        if fault := event.get("error"):
            says = fault.get("message") if isinstance(fault, Mapping) else fault
            raise ModelError("server", "model-broke-off", says=_line(str(says)))
        try:
            return self._take(event)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError):
            raise ModelError("malformed", "model-other-shape", event=_line(json.dumps(event))) from None

    def _take(self, event: Mapping[str, Any]) -> str:
        self.usage = event.get("usage") or self.usage
        self.model = event.get("model") or self.model
        choices = event["choices"]
        if not choices:  # the piece with the usage, and Azure's first, have none
            return ""
        choice = choices[0]
        is_whole = "message" in choice
        body = choice["message"] if is_whole else choice["delta"] or {}
        self.finish = choice.get("finish_reason") or ("stop" if is_whole else self.finish)
        for place, call in enumerate(body.get("tool_calls") or ()):
            self._call(int(call.get("index", place)), call)
        text = self._whole(_text(body.get("content") or body.get("refusal") or ""))
        self.texts.append(text)
        return text

    def _whole(self, text: str) -> str:
        text = self.half + text
        self.half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return repaired(text.removesuffix(self.half))

    def _call(self, index: int, call: Mapping[str, Any]) -> None:
        """A stream sends id and name once, the arguments in pieces."""
        known, function = self.calls.setdefault(index, ["", "", ""]), call.get("function") or {}
        known[0] = call.get("id") or known[0]
        known[1] = function.get("name") or known[1]
        arguments = function.get("arguments") or ""
        known[2] += arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)

    def reply(self, model: str, seconds: float, attempts: int, stopped: bool = False) -> Reply:
        """Raises ModelError where the answer broke off, or says nothing."""
        if not stopped and not self.finish and self.texts:
            raise ModelError("connection", "model-cut-midway")
        if not stopped and not self.text.strip() and not self.calls:
            error = ModelError("empty", "model-empty", finish=self.finish or Phrase("none"))
            error.counts = {
                name: tokens for name in ("prompt", "completion") if (tokens := self._tokens(name)) is not None
            }
            raise error
        return Reply(
            text=self.text,
            calls=tuple(Call(*map(repaired, self.calls[index])) for index in sorted(self.calls)),
            prompt_tokens=self._tokens("prompt"),
            completion_tokens=self._tokens("completion"),
            cached_tokens=_count((self.usage.get("prompt_tokens_details") or {}).get("cached_tokens")),
            seconds=seconds,
            finish="stopped" if stopped else self.finish,
            model=self.model or model,
            attempts=attempts,
        )

    def _tokens(self, of: str) -> int | None:
        return _count(self.usage.get(f"{of}_tokens"))


def whole(content: bytes) -> Mapping[str, Any]:
    """The one JSON object of an answer. Raises ModelError."""
    try:
        found = json.loads(content)
    except ValueError:  # UnicodeDecodeError too
        found = None
    if isinstance(found, dict):
        return found
    if not content.strip():
        raise ModelError("empty", "model-nothing")
    raise ModelError("malformed", "model-no-object", content=_line(content.decode("utf-8", "replace")))


def events(pieces: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of a stream of server-sent events, up to its [DONE]. Raises ModelError."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")  # not splitlines: U+2028 and its like may stand inside JSON
        for line in map(bytes.strip, lines):
            if line == b"data: [DONE]":
                return
            if line and not line.startswith(_ASIDE):
                yield whole(line.removeprefix(b"data:"))


def _text(content: Any) -> str:
    """A content's text; some endpoints send it in parts."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type", "text") == "text")


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _line(text: str) -> str:
    short = " ".join(text[: 2 * _SHOWN].split())
    return short if len(short) <= _SHOWN and len(text) <= 2 * _SHOWN else short[:_SHOWN] + "…"
