"""Anthropic's messages: results stand in user messages, instructions beside them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.counting.media import content_text, part_text, read_media
from ctxcore.wire.blocks import NO_ID, Block, Form, Request, Turn, function_tool, mapping, sequence, words

_SERVER_CALLS = ("server_tool_use", "mcp_tool_use")
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}


def read_anthropic(request: Mapping[str, Any]) -> Request:
    messages = enumerate(sequence(request.get("messages")))
    turns = [_turn(message, at) for at, message in messages if isinstance(message, Mapping)]
    start = max((at for at, turn in enumerate(turns) if _is_compaction(turn)), default=0)
    system = tuple(_content(request.get("system"), "/system"))
    head = [Turn("system", None, "/system", system)] if system else []
    return Request(
        "anthropic",
        (*head, *turns[start:]),  # what stands before a compaction is not read
        tuple(_tools(request, turns)),
        _form(request),
        _choice(request),
        hidden=tuple(name for name in ("mcp_servers", "container") if request.get(name)),
    )


def _is_compaction(turn: Turn) -> bool:
    return any(mapping(part).get("type") == "compaction" for part in sequence(turn.given.get("content")))


def _tools(request: Mapping[str, Any], turns: list[Turn]) -> Iterator[Any]:
    """Custom tools as functions; those of the server have a dated type and no schema. A tool whose loading is deferred
    is not read before it has been called."""
    called = {block.name for turn in turns for block in turn.blocks if block.kind == "call"}
    for tool in sequence(request.get("tools")):
        wire = mapping(tool)
        if wire.get("defer_loading") is True and wire.get("name") not in called:
            continue
        custom = function_tool(wire.get("name"), wire.get("description"), wire.get("input_schema"))
        yield custom if "input_schema" in wire else tool


def _form(request: Mapping[str, Any]) -> Form | None:
    config = mapping(request.get("output_config")) or mapping(request.get("output_format"))
    wire = mapping(config.get("format")) or config
    schema = wire.get("schema")
    return Form(words(wire.get("name")), "", schema) if isinstance(schema, Mapping) else None


def _choice(request: Mapping[str, Any]) -> str:
    given = mapping(request.get("tool_choice"))
    return words(given.get("name")) or _CHOICES.get(str(given.get("type")), "auto")


def _turn(message: Mapping[str, Any], at: int) -> Turn:
    where = f"/messages/{at}"
    return Turn(str(message.get("role")), at, where, tuple(_content(message.get("content"), where)), given=message)


def _content(content: Any, where: str) -> Iterator[Block]:
    if not isinstance(content, list | tuple):
        if content:
            yield Block("text", f"{where}/content" if where != "/system" else where, content_text(content))
        return
    for at, part in enumerate(content):
        place = f"{where}/content/{at}" if where != "/system" else f"{where}/{at}"
        yield from _block(mapping(part), place) if isinstance(part, Mapping) else [Block("text", place, str(part))]


def _block(part: Mapping[str, Any], where: str) -> Iterator[Block]:
    kind = str(part.get("type"))
    if kind == "tool_use" or kind in _SERVER_CALLS:
        yield Block("call", where, content_text(part.get("input")), words(part.get("id")), words(part.get("name")))
    elif "tool_use_id" in part:
        yield from _result(part, where)
    elif kind == "thinking":
        yield Block("reasoning", where, words(part.get("thinking")))
    elif kind == "redacted_thinking":
        yield Block("opaque", where, kind)
    elif kind == "compaction":
        yield Block("text", where, content_text(part.get("content")))
    elif kind in ("tool_addition", "container_upload"):
        yield Block("opaque", where, kind)
    elif text := words(mapping(part.get("source")).get("data")) if _is_plain(part) else "":
        yield Block("text", where, text, name="document")
    elif media := read_media(part):
        yield Block("media", where, media=media)
    else:
        yield Block("text", where, part_text(part))


def _is_plain(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "document" and mapping(part.get("source")).get("type") == "text"


def _result(part: Mapping[str, Any], where: str) -> Iterator[Block]:
    """Its texts as one, then its media. What a server's tool found is often encrypted."""
    inner = list(_content(part.get("content"), where))
    text = "\n".join(block.text for block in inner if block.kind == "text")
    yield Block("result", where, text, words(part.get("tool_use_id")) or NO_ID)
    yield from (block for block in inner if block.kind in ("media", "opaque"))
