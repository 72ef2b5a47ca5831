"""A payload as an Anthropic Messages request: system beside the messages, results in a message of the user."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.exporting.exported import Exported, Losses
from ctxcore.exporting.media import address, file_key, file_name, is_web, shown, split_uri
from ctxcore.exporting.turns import OPENING, Called, Turn, read_turns

Json = dict[str, Any]
SYSTEM = ("system", "developer")
MAX_TOKENS = 4_096  # of the answer: the API wants to be told
MOST_MARKS = 4  # cache marks that the API takes
NOT_IN_IDS = re.compile(r"[^a-zA-Z0-9_-]")


def write(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], model: str) -> Exported:
    losses = Losses()
    turns = read_turns(messages, losses)
    leading = next((at for at, turn in enumerate(turns) if turn.role not in SYSTEM), len(turns))
    if leading == len(turns):  # the API wants at least one message
        leading = max(0, leading - 1)
        for turn in turns[leading:]:
            turn.role = "user"
            losses.note("a system text alone, written as words of the user", turn.where)
    request: Json = {"model": model, "max_tokens": MAX_TOKENS}
    if leading:
        request["system"] = _system(turns[:leading], losses)
    request["messages"] = _messages(turns[leading:], losses)
    if tools:
        request["tools"] = [_tool(tool, losses) for tool in tools]
    _few_marks(request, losses)
    return Exported(request, losses.lines())


def _system(turns: Sequence[Turn], losses: Losses) -> Any:
    if len(turns) > 1:
        losses.note("the borders of system messages: they become parts of one", turns[0].where)
    for turn in turns:
        if turn.role == "developer":
            losses.note("the role developer, which becomes system", turn.where)
    blocks = [_block(part, turn, losses) for turn in turns for part in turn.parts]
    is_plain = len(turns) == 1 and turns[0].is_text and len(blocks) == 1
    return blocks[0]["text"] if is_plain else blocks


def _messages(turns: Sequence[Turn], losses: Losses) -> list[Json]:
    """Results of one message stand in one message of the user, with what the user says after them."""
    out = list[Json]()
    if turns and turns[0].role == "assistant":
        losses.note("a first message by the assistant: one of the user stands before it", turns[0].where)
        out.append({"role": "user", "content": OPENING})
    results = list[Json]()
    for turn in turns:
        if turn.name and turn.role != "tool":
            losses.note("the name of a speaker", turn.where)
        if turn.role == "tool":
            results.append(_result(turn, losses))
            continue
        blocks = [*_thinking(turn, losses), *(_block(part, turn, losses) for part in turn.parts)]
        blocks += [_call(call, turn, losses) for call in turn.calls]
        if results and turn.role == "user":
            out.append({"role": "user", "content": [*results, *blocks]})
        else:
            out += [{"role": "user", "content": [*results]}] if results else []
            is_plain = turn.is_text and len(blocks) == 1 and blocks[0].keys() == {"type", "text"}
            role = "system" if turn.role == "developer" else turn.role
            out.append({"role": role, "content": blocks[0]["text"] if is_plain else blocks})
        results.clear()
    if results:
        out.append({"role": "user", "content": results})
    return _unblanked(out, losses)


def _unblanked(out: list[Json], losses: Losses) -> list[Json]:
    """An answer begun for the model may not end in blanks."""
    last = out[-1] if out and out[-1]["role"] == "assistant" else {}
    content = last.get("content")
    block = content[-1] if isinstance(content, list) else last
    name = "text" if isinstance(content, list) else "content"
    if isinstance(said := block.get(name), str) and said != said.rstrip():
        block[name] = said.rstrip()
        losses.note("blanks at the end of the last answer", f"/messages/{len(out) - 1}")
    return out


def _thinking(turn: Turn, losses: Losses) -> list[Json]:
    """Only what Anthropic signed comes back to it."""
    signed = [
        dict(one)
        for one in turn.thinking
        if (one.get("type") == "thinking" and one.get("signature")) or one.get("type") == "redacted_thinking"
    ]
    if len(signed) < len(turn.thinking):
        losses.note("thinking without Anthropic's signature", turn.where)
    return signed


def _call(call: Called, turn: Turn, losses: Losses) -> Json:
    block = {"type": "tool_use", "id": _id(call.id), "name": call.name, "input": call.fields(losses, turn.where)}
    return {**block, **({"cache_control": call.mark} if call.mark else {})}


def _result(turn: Turn, losses: Losses) -> Json:
    blocks = [_block(part, turn, losses) for part in turn.parts]
    is_plain = turn.is_text and len(blocks) == 1 and blocks[0].keys() == {"type", "text"}
    block: Json = {"type": "tool_result", "tool_use_id": _id(turn.key)}
    if blocks:
        block["content"] = blocks[0]["text"] if is_plain else blocks
    if turn.is_error:
        block["is_error"] = True
    return {**block, **({"cache_control": turn.mark} if turn.mark else {})}


def _id(key: str) -> str:
    return NOT_IN_IDS.sub("_", key)


def _block(part: Mapping[str, Any], turn: Turn, losses: Losses) -> Json:
    marks = {"cache_control": part["cache_control"]} if part.get("cache_control") else {}
    if part.get("type") == "text":
        return {"type": "text", "text": str(part["text"]), **marks}
    made = _media(part) if turn.role in ("user", "tool") else None
    if made is None:
        losses.note("a part that this API takes not there, named in words", turn.where)
        return {"type": "text", "text": str(part.get("refusal") or shown(part))}
    return {**made, **marks}


def _media(part: Mapping[str, Any]) -> Json | None:
    uri = address(part)
    mime, data = split_uri(uri)
    source = (
        {"type": "base64", "media_type": mime, "data": data}
        if data
        else {"type": "url", "url": uri}
        if is_web(uri)
        else {"type": "file", "file_id": file_key(part)}
        if file_key(part)
        else None
    )
    if source is None or part.get("type") not in ("image_url", "file"):
        return None
    if part["type"] == "image_url":
        return {"type": "image", "source": source}
    return {"type": "document", "source": source, **({"title": file_name(part)} if file_name(part) else {})}


def _tool(tool: Mapping[str, Any], losses: Losses) -> Json:
    inner = tool.get("function") or tool.get("custom") or {}
    if lost := sorted(inner.keys() - {"name", "description", "parameters"}):
        losses.note(f"fields of tools ({', '.join(lost)})", f"/tools: {inner.get('name')}")
    made: Json = {"name": inner.get("name")}
    if inner.get("description"):
        made["description"] = inner["description"]
    if "parameters" not in inner:
        losses.note("a tool without a schema: an empty one stands there", f"/tools: {inner.get('name')}")
    made["input_schema"] = inner.get("parameters") or {"type": "object", "properties": {}}
    return {**made, **({"cache_control": tool["cache_control"]} if tool.get("cache_control") else {})}


def _few_marks(request: Json, losses: Losses) -> None:
    """The first marks go: the later ones cover what they covered."""
    lists = [message["content"] for message in request["messages"] if isinstance(message["content"], list)]
    system = request.get("system")
    blocks = [*request.get("tools", []), *(system if isinstance(system, list) else [])]
    marked = [one for one in (*blocks, *(block for blocks in lists for block in blocks)) if "cache_control" in one]
    for one in marked[: max(0, len(marked) - MOST_MARKS)]:
        del one["cache_control"]
        losses.note(f"marks of the cache beyond {MOST_MARKS}", "/messages")
