"""Messages of OpenAI's chat shape, made out of what other formats say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = dict[str, Any]
_SHORTEST = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)  # json.dumps makes one a call


def compact(value: Any) -> str:
    """A text as it is, anything else as the shortest JSON."""
    if isinstance(value, str):
        return value
    return _SHORTEST.encode(value)


def text_part(text: str, **more: Any) -> Message:
    return {"type": "text", "text": text, **more}


def content(parts: Sequence[Any]) -> Any:
    """The parts as the content of a message: one plain text alone as a text, none as null."""
    if len(parts) == 1 and parts[0].keys() == {"type", "text"} and parts[0]["type"] == "text":
        return parts[0]["text"]
    return list(parts) or None


def call(key: Any, name: Any, arguments: Any) -> Message:
    """`arguments` may be an object, or the text that the model wrote."""
    text = "" if arguments is None else compact(arguments)
    return {"id": _id(key), "type": "function", "function": {"name": compact(name or "unknown"), "arguments": text}}


def assistant(parts: Sequence[Any], calls: Sequence[Message] = (), thinking: Sequence[Any] = ()) -> Message:
    """`thinking` are blocks as their provider wrote them: kept with the message, never counted as its text."""
    message: Message = {"role": "assistant", "content": content(parts)}
    if calls:
        message["tool_calls"] = list(calls)
    if thinking:
        message["thinking_blocks"] = list(thinking)
    return message


def result(key: Any, parts: Sequence[Any], name: Any = "", *, is_error: bool = False) -> Message:
    said = content(parts)
    message: Message = {"role": "tool", "tool_call_id": _id(key), "content": "" if said is None else said}
    if isinstance(name, str) and name:
        message["name"] = name
    if is_error:
        message["is_error"] = True
    return message


def tool(name: Any, description: Any = None, schema: Any = None, **more: Any) -> Message:
    function: Message = {"name": compact(name or "unknown")}
    if isinstance(description, str) and description:
        function["description"] = description
    if isinstance(schema, Mapping):
        function["parameters"] = dict(schema)
    return {"type": "function", "function": {**function, **more}}


def _id(key: Any) -> str:
    return "" if key is None else compact(key)
