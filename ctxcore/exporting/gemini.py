"""A payload as a Gemini generateContent request: two roles, results as parts of the user's content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.exporting.exported import Exported, Losses
from ctxcore.exporting.media import address, file_key, shown, split_uri
from ctxcore.exporting.turns import OPENING, Turn, read_turns

Json = dict[str, Any]
SYSTEM = ("system", "developer")
MIMES = {"mp3": "audio/mpeg", "wav": "audio/wav"}


def write(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], model: str) -> Exported:
    losses = Losses()
    turns = read_turns(messages, losses)
    leading = next((at for at, turn in enumerate(turns) if turn.role not in SYSTEM), len(turns))
    request: Json = {"model": f"models/{model}", "contents": _contents(turns[leading:], losses)}
    if leading:
        if leading > 1 or turns[0].role == "developer":
            losses.note("the borders and roles of system messages: they become parts of one", turns[0].where)
        parts = [part for turn in turns[:leading] for part in _parts(turn, losses)]
        request["systemInstruction"] = {"parts": parts}
    if not request["contents"]:
        losses.note("a request without a message: one of the user stands there", "/contents")
        request["contents"] = [{"role": "user", "parts": [{"text": OPENING}]}]
    if tools:
        request["tools"] = [{"functionDeclarations": [_tool(tool, losses) for tool in tools]}]
    return Exported(request, losses.lines())


def _contents(turns: Sequence[Turn], losses: Losses) -> list[Json]:
    out = list[Json]()
    if turns and turns[0].role == "assistant":
        losses.note("a first message by the assistant: one of the user stands before it", turns[0].where)
        out.append({"role": "user", "parts": [{"text": OPENING}]})
    results: list[Json] | None = None  # the results of one message stand in one content
    for turn in turns:
        if turn.role == "tool":
            if results is None:
                results = []
                out.append({"role": "user", "parts": results})
            results += _result(turn, losses)
            continue
        results = None
        if turn.role in SYSTEM:
            losses.note("a system message in the middle, written as words of the user", turn.where)
        if turn.name:
            losses.note("the name of a speaker", turn.where)
        parts = [*_thoughts(turn, losses), *_parts(turn, losses), *_calls(turn, losses)]
        if parts:
            out.append({"role": "model" if turn.role == "assistant" else "user", "parts": parts})
    return out


def _thoughts(turn: Turn, losses: Losses) -> list[Json]:
    own = [one for one in turn.thinking if one.get("type") == "thought" and one.get("text")]
    if any(one.get("type") not in ("thought", "thoughtSignature") for one in turn.thinking):
        losses.note("thinking that another provider wrote", turn.where)
    return [
        {"thought": True, "text": one["text"], **({"thoughtSignature": sign} if (sign := one.get("signature")) else {})}
        for one in own
    ]


def _calls(turn: Turn, losses: Losses) -> list[Json]:
    signatures = {
        one.get("call"): one.get("signature") for one in turn.thinking if one.get("type") == "thoughtSignature"
    }
    return [
        {
            "functionCall": {"id": call.id, "name": call.name, "args": call.fields(losses, turn.where)},
            **({"thoughtSignature": signatures[call.id]} if call.id in signatures else {}),
        }
        for call in turn.calls
    ]


def _result(turn: Turn, losses: Losses) -> list[Json]:
    texts = [part for part in turn.parts if part.get("type") == "text"]
    others = [part for part in turn.parts if part.get("type") != "text"]
    if others:
        losses.note("what is no text in a result, which stands beside it", turn.where)
    if len(texts) > 1:
        losses.note("the borders of texts in a result", turn.where)
    said = "\n".join(str(part["text"]) for part in texts)
    response = {"error" if turn.is_error else "output": said}
    made = {"functionResponse": {"id": turn.key, "name": turn.name, "response": response}}
    return [made, *(_part(part, turn, losses) for part in others)]


def _parts(turn: Turn, losses: Losses) -> list[Json]:
    return [_part(part, turn, losses) for part in turn.parts]


def _part(part: Mapping[str, Any], turn: Turn, losses: Losses) -> Json:
    if part.get("type") == "text":
        if part.keys() - {"type", "text"}:
            losses.note("marks of parts, such as of the cache", turn.where)
        return {"text": str(part["text"])}
    uri = address(part)
    mime, data = split_uri(uri)
    if isinstance(sound := part.get("input_audio"), Mapping):
        mime, data = MIMES.get(str(sound.get("format")), "audio/wav"), str(sound.get("data") or "")
        losses.note("a sound, which comes back as a file", turn.where)
    if isinstance(inner := part.get("image_url"), Mapping) and inner.get("detail"):
        losses.note("the detail of pictures", turn.where)
    if part.get("type") == "file":
        losses.note("the name of a file", turn.where)
    if data:
        return {"inlineData": {"mimeType": mime, "data": data}}
    linked = uri or file_key(part)
    if linked and part.get("type") in ("image_url", "file"):
        kind = "image/*" if part["type"] == "image_url" else "application/octet-stream"
        return {"fileData": {"mimeType": kind, "fileUri": linked}}
    losses.note("a part that this API takes not there, named in words", turn.where)
    return {"text": str(part.get("refusal") or shown(part))}


def _tool(tool: Mapping[str, Any], losses: Losses) -> Json:
    inner = tool.get("function") or tool.get("custom") or {}
    if lost := sorted((inner.keys() - {"name", "description", "parameters"}) | (tool.keys() - {"type", "function"})):
        losses.note(f"fields of tools ({', '.join(lost)})", f"/tools: {inner.get('name')}")
    named = {"name": inner.get("name"), "description": inner.get("description") or ""}
    made = {name: value for name, value in named.items() if value}
    return {**made, **({"parametersJsonSchema": inner["parameters"]} if "parameters" in inner else {})}
