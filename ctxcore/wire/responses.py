"""OpenAI's responses: one turn an item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.counting.media import content_text
from ctxcore.wire.blocks import NO_ID, Block, Form, Request, Turn, function_tool, mapping, sequence, words
from ctxcore.wire.chat import chat_part

HIDDEN = ("previous_response_id", "conversation", "prompt")
_CALLS = ("function_call", "custom_tool_call")
_RESULTS = ("function_call_output", "custom_tool_call_output", "computer_call_output", "mcp_approval_response")


def read_responses(request: Mapping[str, Any]) -> Request:
    given = request.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else sequence(given)
    turns = [_item(item, at) for at, item in enumerate(items) if isinstance(item, Mapping)]
    if instructions := words(request.get("instructions")):
        turns.insert(0, Turn("system", None, "/instructions", (Block("text", "/instructions", instructions),)))
    tools = tuple(_tool(tool) for tool in sequence(request.get("tools")))
    later = (sequence(item.get("tools")) for item in map(mapping, items) if "type" in item)
    added = tuple(tuple(_tool(tool) for tool in found) for found in later if found)
    hidden = [name for name in HIDDEN if request.get(name)]
    hidden += ["reasoning mode pro"] if mapping(request.get("reasoning")).get("mode") == "pro" else []
    hidden += [str(item["type"]) for item in map(mapping, items) if item.get("type") == "item_reference"]
    return Request("openai-responses", tuple(turns), tools, _form(request), _choice(request), added, tuple(hidden))


def _form(request: Mapping[str, Any]) -> Form | None:
    wire = mapping(mapping(request.get("text")).get("format"))
    schema = wire.get("schema")
    return (
        Form(words(wire.get("name")), words(wire.get("description")), schema) if isinstance(schema, Mapping) else None
    )


def _choice(request: Mapping[str, Any]) -> str:
    given = request.get("tool_choice")
    return words(mapping(given).get("name")) or words(given) or "auto"


def _tool(tool: Any) -> Any:
    wire = mapping(tool)
    if wire.get("type") == "function":
        return function_tool(wire.get("name"), wire.get("description"), wire.get("parameters"))
    return tool


def _item(item: Mapping[str, Any], at: int) -> Turn:
    where, kind = f"/input/{at}", item.get("type") or "message"
    if kind == "message":
        return Turn(str(item.get("role")), at, where, tuple(_content(item.get("content"), where)), given=item)
    if kind in _CALLS:
        arguments = content_text(item.get("arguments", item.get("input")))
        call = Block("call", where, arguments, words(item.get("call_id")), words(item.get("name")))
        return Turn("assistant", at, where, (call,), given=item)
    if kind in _RESULTS:
        parts = list(_content(item.get("output"), where))
        text = "\n".join(part.text for part in parts if part.kind == "text")
        result = Block("result", where, text, words(item.get("call_id")) or NO_ID)
        return Turn("tool", at, where, (result, *(part for part in parts if part.kind == "media")), given=item)
    return Turn("assistant", at, where, tuple(_other(item, str(kind), where)), given=item)


def _content(content: Any, where: str) -> Iterator[Block]:
    if not isinstance(content, list | tuple):
        if content:
            yield Block("text", f"{where}/content", content_text(content))
        return
    for at, part in enumerate(content):
        yield chat_part(part, f"{where}/content/{at}")


def _other(item: Mapping[str, Any], kind: str, where: str) -> Iterator[Block]:
    """Thoughts, and calls that the server answers itself: most of their results are not in the request."""
    if kind == "reasoning":
        for part in (*sequence(item.get("summary")), *sequence(item.get("content"))):
            yield Block("reasoning", where, words(mapping(part).get("text")))
        if words(item.get("encrypted_content")):
            yield Block("opaque", where, "reasoning")
    elif kind == "mcp_call":
        name = words(item.get("name"))
        yield Block("call", where, words(item.get("arguments")), words(item.get("id")), name)
        yield Block("result", where, content_text(item.get("output") or item.get("error")), words(item.get("id")), name)
    elif kind not in ("additional_tools", "mcp_list_tools", "item_reference"):
        yield Block("opaque", where, kind)
