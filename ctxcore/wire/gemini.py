"""Gemini's generateContent, in either spelling of its fields, also wrapped as `request`: nothing has an id."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.counting.media import content_text, read_media
from ctxcore.wire.blocks import Block, Form, Request, Turn, function_tool, mapping, sequence, words

_ROLES = {"model": "assistant", "function": "tool"}


def read_gemini(request: Mapping[str, Any]) -> Request:
    wire = mapping(request.get("request")) or request
    root = "/request" if request.get("request") else ""
    given = wire.get("contents")
    contents = [{"role": "user", "parts": [{"text": given}]}] if isinstance(given, str) else sequence(given)
    names = _Ids()
    turns = [
        _turn(one, at, f"{root}/contents/{at}", names) for at, one in enumerate(contents) if isinstance(one, Mapping)
    ]
    place = f"{root}/systemInstruction"
    system = tuple(_parts(get(wire, "systemInstruction"), place, names))
    head = [Turn("system", None, place, system)] if system else []
    config = mapping(get(wire, "generationConfig") or wire.get("config"))
    schema = get(config, "responseSchema") or get(config, "responseJsonSchema")
    form = Form("", "", schema) if isinstance(schema, Mapping) else None
    mode = words(mapping(get(mapping(get(wire, "toolConfig")), "functionCallingConfig")).get("mode"))
    choice = {"ANY": "required", "NONE": "none"}.get(mode, "auto")
    return Request("gemini", (*head, *turns), tuple(_tools(wire.get("tools"))), form, choice)


def get(wire: Mapping[str, Any], name: str) -> Any:
    """A field, in camel or in snake case."""
    return wire.get(name, wire.get(re.sub("([A-Z])", r"_\1", name).lower()))


class _Ids:
    """Gives calls and results numbers, so that the n-th result of a tool answers the n-th call of it."""

    def __init__(self) -> None:
        self.made: defaultdict[tuple[str, str], int] = defaultdict(int)

    def next(self, kind: str, body: Mapping[str, Any]) -> str:
        name = words(body.get("name"))
        if key := words(body.get("id")):
            return key
        self.made[kind, name] += 1
        return f"{name}-{self.made[kind, name]}"


def _tools(tools: Any) -> Iterator[Any]:
    for tool in sequence(tools) if not isinstance(tools, Mapping) else [tools]:
        declared = get(mapping(tool), "functionDeclarations")
        if not isinstance(declared, list | tuple):
            yield tool
        for one in map(mapping, sequence(declared)):
            schema = one.get("parameters") or get(one, "parametersJsonSchema")
            yield function_tool(one.get("name"), one.get("description"), schema)


def _turn(content: Mapping[str, Any], at: int, where: str, ids: _Ids) -> Turn:
    given = content.get("role")
    role = "user" if given is None else _ROLES.get(str(given), str(given))
    return Turn(role, at, where, tuple(_parts(content, where, ids)), given=content)


def _parts(content: Any, where: str, ids: _Ids) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block("text", where, content)
    for at, part in enumerate(sequence(mapping(content).get("parts"))):
        place = f"{where}/parts/{at}"
        yield from _part(part, place, ids) if isinstance(part, Mapping) else [Block("text", place, content_text(part))]


def _part(part: Mapping[str, Any], where: str, ids: _Ids) -> Iterator[Block]:
    if isinstance(call := get(part, "functionCall"), Mapping):
        yield Block("call", where, content_text(call.get("args")), ids.next("call", call), words(call.get("name")))
    elif isinstance(answer := get(part, "functionResponse"), Mapping):
        text, key = content_text(answer.get("response")), ids.next("result", answer)
        yield Block("result", where, text, key, words(answer.get("name")))
    elif isinstance(blob := get(part, "inlineData") or get(part, "fileData"), Mapping):
        yield Block("media", where, media=_media(blob))
    elif isinstance(part.get("text"), str):
        yield Block("reasoning" if part.get("thought") else "text", where, part["text"])
    elif other := {key: value for key, value in part.items() if "ignature" not in key}:
        yield Block("text", where, content_text(other))


def _media(blob: Mapping[str, Any]) -> Any:
    kind = words(get(blob, "mimeType"))
    uri = f"data:{kind};base64,{words(blob.get('data'))}" if "data" in blob else words(get(blob, "fileUri"))
    family = kind.partition("/")[0]
    if family == "image":
        return read_media({"type": "image_url", "image_url": {"url": uri}})
    if family == "audio":
        sound = {"data": words(blob.get("data")), "format": kind.partition("/")[2]}
        return read_media({"type": "input_audio", "input_audio": sound})
    return read_media({"type": "file", "file": {"file_data": uri, "filename": kind}})
