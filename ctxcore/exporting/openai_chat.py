"""A payload as an OpenAI chat request: no fields that are not OpenAI's, and no pictures in results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.counting.media import part_text
from ctxcore.exporting.exported import Exported, Losses
from ctxcore.exporting.media import shown
from ctxcore.exporting.turns import Turn, read_turns

Json = dict[str, Any]
PARTS = ("text", "image_url", "input_audio", "file", "refusal")
OF_ASSISTANT = ("text", "refusal")
ONLY_TEXT = ("system", "developer", "tool")


def write(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], model: str) -> Exported:
    losses = Losses()
    out, pictures = list[Json](), list[Json]()
    for turn in read_turns(messages, losses):
        if turn.role != "tool" and pictures:
            out.append({"role": "user", "content": [*pictures]})
            pictures.clear()
        out.append(_message(turn, pictures, losses))
    if pictures:
        out.append({"role": "user", "content": pictures})
    request: Json = {"model": model, "messages": out}
    if tools:
        request["tools"] = [{name: one for name, one in tool.items() if name != "cache_control"} for tool in tools]
    return Exported(request, losses.lines())


def _message(turn: Turn, pictures: list[Json], losses: Losses) -> Json:
    """The message; the pictures of a result are put by, for a message of the user behind all results."""
    message: Json = {"role": turn.role}
    if turn.thinking:
        losses.note("thinking and reasoning, which a chat request cannot hold", turn.where)
    if turn.role == "tool":
        message["tool_call_id"] = turn.key
        if turn.is_error:
            losses.note("the mark that a result is an error", turn.where)
    elif turn.name:
        message["name"] = turn.name
    parts = [_part(part, turn, losses) for part in turn.parts]
    if turn.role in ONLY_TEXT and any(part["type"] != "text" for part in parts):
        pictures += [part for part in parts if part["type"] != "text"]
        parts = [part for part in parts if part["type"] == "text"]
        losses.note("what is no text in a result, moved to a message of the user behind it", turn.where)
    message["content"] = _content(turn, parts)
    if turn.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "custom", "custom": {"name": call.name, "input": call.arguments}}
            if call.is_custom
            else {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
    return message


def _content(turn: Turn, parts: list[Json]) -> Any:
    if turn.is_text and len(parts) == 1 and parts[0].get("type") == "text":
        return parts[0]["text"]
    return parts or (None if turn.calls else "")


def _part(part: Mapping[str, Any], turn: Turn, losses: Losses) -> Json:
    kind = str(part.get("type"))
    if kind not in (OF_ASSISTANT if turn.role == "assistant" else PARTS):
        losses.note("a part that this API takes not there, named in words", turn.where)
        return {"type": "text", "text": part_text(part) if kind not in PARTS else shown(part)}
    if unknown := sorted(part.keys() - {"type", kind}):
        losses.note(f"fields of parts that are not OpenAI's ({', '.join(unknown)})", turn.where)
    return {"type": kind, kind: part.get(kind)}
