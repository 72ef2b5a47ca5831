"""A payload as an OpenAI Responses request: calls and results are items of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ctxcore.exporting.exported import Exported, Losses
from ctxcore.exporting.media import address, file_key, file_name, shown
from ctxcore.exporting.turns import Called, Turn, read_turns

Json = dict[str, Any]
OPAQUE = ("reasoning", "compaction")


def write(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], model: str) -> Exported:
    losses = Losses()
    turns = read_turns(messages, losses)
    request: Json = {"model": model}
    if turns and turns[0].role == "system" and turns[0].is_text and turns[0].parts:
        request["instructions"] = turns.pop(0).text
    for before, turn in pairwise(turns):
        if before.role == turn.role == "assistant" and turn.calls and not turn.parts:
            losses.note("the border between an answer and calls of their own behind it", turn.where)
    request["input"] = [item for turn in turns for item in _items(turn, losses)]
    if tools:
        request["tools"] = [_tool(tool, losses) for tool in tools]
    return Exported(request, losses.lines())


def _items(turn: Turn, losses: Losses) -> Iterator[Json]:
    if turn.name and turn.role != "tool":
        losses.note("the name of a speaker", turn.where)
    if turn.role == "tool":
        yield _output(turn, losses)
        return
    opaque = [block for block in turn.thinking if block.get("type") in OPAQUE]
    if len(opaque) < len(turn.thinking):
        losses.note("thinking that another provider wrote", turn.where)
    yield from opaque
    parts = [_part(part, turn, losses) for part in turn.parts]
    if parts:
        is_plain = turn.is_text and parts[0]["type"] in ("input_text", "output_text") and len(parts) == 1
        yield {"type": "message", "role": turn.role, "content": parts[0]["text"] if is_plain else parts}
    for call in turn.calls:
        yield _call(call)


def _call(call: Called) -> Json:
    if call.is_custom:
        return {"type": "custom_tool_call", "call_id": call.id, "name": call.name, "input": call.arguments}
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}


def _output(turn: Turn, losses: Losses) -> Json:
    if turn.is_error:
        losses.note("the mark that a result is an error", turn.where)
    parts = [_part(part, turn, losses) for part in turn.parts]
    is_plain = not parts or (turn.is_text and len(parts) == 1)
    output = (parts[0]["text"] if parts else "") if is_plain else parts
    kind = "custom_tool_call_output" if turn.is_custom else "function_call_output"
    return {"type": kind, "call_id": turn.key, "output": output}


def _part(part: Mapping[str, Any], turn: Turn, losses: Losses) -> Json:
    kind, text = part.get("type"), "output_text" if turn.role == "assistant" else "input_text"
    if kind == "text":
        if part.keys() - {"type", "text"}:
            losses.note("marks of parts, such as of the cache", turn.where)
        return {"type": text, "text": str(part["text"])}
    if kind == "refusal":
        return {"type": "refusal", "refusal": part["refusal"]}
    if turn.role == "assistant" or kind not in ("image_url", "file"):
        losses.note("a part that this API takes not there, named in words", turn.where)
        return {"type": text, "text": shown(part)}
    if kind == "image_url":
        inner = part.get("image_url")
        detail = inner.get("detail") if isinstance(inner, Mapping) else None
        return {"type": "input_image", "image_url": address(part), **({"detail": detail} if detail else {})}
    named = {"filename": file_name(part), "file_data": address(part), "file_id": file_key(part)}
    return {"type": "input_file", **{name: value for name, value in named.items() if value}}


def _tool(tool: Mapping[str, Any], losses: Losses) -> Json:
    """Definitions are flat here."""
    if "cache_control" in tool:
        losses.note("marks of the cache on tools", "/tools")
    inner = tool.get("function") or tool.get("custom") or {}
    return {"type": tool.get("type", "function"), **dict(inner)}
