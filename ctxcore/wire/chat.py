"""OpenAI's chat completions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.counting.media import content_text, part_text, read_media
from ctxcore.wire.blocks import NO_ID, Block, Form, Request, Turn, mapping, sequence, words

RESULTS = ("tool", "function")


def read_chat(request: Mapping[str, Any]) -> Request:
    messages = enumerate(sequence(request.get("messages")))
    turns = tuple(_turn(message, at) for at, message in messages if isinstance(message, Mapping) and message)
    tools = (*sequence(request.get("tools")), *sequence(request.get("functions")))
    hidden = ("web_search_options",) if request.get("web_search_options") is not None else ()
    return Request("openai", turns, tools, chat_form(request.get("response_format")), _choice(request), hidden=hidden)


def chat_form(wire: Any) -> Form | None:
    """`response_format`; the bare kind json_object costs nothing."""
    inner = mapping(mapping(wire).get("json_schema"))
    schema = inner.get("schema")
    return (
        Form(words(inner.get("name")), words(inner.get("description")), schema) if isinstance(schema, Mapping) else None
    )


def _choice(request: Mapping[str, Any]) -> str:
    given = request.get("tool_choice")
    named = mapping(mapping(given).get("function")).get("name")
    return words(named) or words(given) or "auto"


def _turn(message: Mapping[str, Any], at: int) -> Turn:
    where, role = f"/messages/{at}", str(message.get("role"))
    blocks = _result(message, where) if role in RESULTS else _content(message, where)
    name = words(message.get("name")) if role not in RESULTS else ""
    return Turn(role, at, where, (*blocks, *_calls(message, where)), name, message)


def _content(message: Mapping[str, Any], where: str) -> Iterator[Block]:
    content = message.get("content")
    if not isinstance(content, list | tuple):
        if content:
            yield Block("text", f"{where}/content", content_text(content))
        return
    for at, part in enumerate(content):
        yield chat_part(part, f"{where}/content/{at}")


def chat_part(part: Any, where: str) -> Block:
    if not isinstance(part, Mapping):
        return Block("text", where, content_text(part))
    media = read_media(part)
    return Block("media", where, media=media) if media else Block("text", where, part_text(part))


def _result(message: Mapping[str, Any], where: str) -> Iterator[Block]:
    """A result is one text, whatever parts it came in."""
    parts = list(_content(message, where))
    text = "\n".join(part.text for part in parts if part.kind == "text")
    is_legacy = message.get("role") == "function"
    key = "" if is_legacy else words(message.get("tool_call_id")) or NO_ID
    yield Block("result", where, text, key, words(message.get("name")))
    yield from (part for part in parts if part.kind == "media")


def _calls(message: Mapping[str, Any], where: str) -> Iterator[Block]:
    """Functions, custom tools, and the legacy `function_call`."""
    for at, call in enumerate(sequence(message.get("tool_calls"))):
        if isinstance(call, Mapping):
            body = mapping(call.get("function") or call.get("custom"))
            arguments = content_text(body.get("arguments", body.get("input")))
            place = f"{where}/tool_calls/{at}"
            yield Block("call", place, arguments, str(call.get("id") or ""), content_text(body.get("name")))
    if isinstance(legacy := message.get("function_call"), Mapping):
        arguments, name = content_text(legacy.get("arguments")), content_text(legacy.get("name"))
        yield Block("call", f"{where}/function_call", arguments, "", name)
