"""Gemini generateContent requests, bare or wrapped in `request`; calls and results are paired by name and order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import data_uri, file_part, image, shortened
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.shapes import head, listed, mapping, text
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part, tool

ANSWERS = {"output", "result", "error"}
OWN = ("contents", "tools", "systemInstruction", "system_instruction")
PARTS = {"text", "functionCall", "function_call", "functionResponse", "function_response", "inlineData", "inline_data"}


def fits(value: Any) -> bool:
    if isinstance(value, list):
        first = mapping(head(value))
        return "role" in first and "content" not in first and bool(PARTS & mapping(head(first.get("parts"))).keys())
    return isinstance(value, Mapping) and ("contents" in value or "contents" in mapping(value.get("request")))


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(read, given))]


def read(given: Given) -> Draft:
    outer = given.value if isinstance(given.value, Mapping) else {"contents": given.value}
    data = mapping(outer["request"]) if "contents" not in outer else outer
    contents = data.get("contents")
    turns = [{"role": "user", "parts": [{"text": contents}]}] if isinstance(contents, str) else listed(contents)
    draft, pairing = Draft(read=len(turns), records="contents"), Pairing()
    system = data.get("systemInstruction") or data.get("system_instruction")
    if words := [text(mapping(part).get("text")) for part in listed(mapping(system).get("parts"))]:
        draft.say({"role": "system", "content": content([text_part(word) for word in words])}, "/systemInstruction")
        draft.read += 1
    for index, turn in enumerate(turns):
        say_content(draft, pairing, mapping(turn), f"/contents/{index}")
    for declared in listed(data.get("tools")):
        add_tools(draft, mapping(declared))
    if model := text(outer.get("model")) or text(data.get("model")):
        draft.settings["model"] = model.removeprefix("models/")
    if rest := {name: value for name, value in data.items() if name not in OWN}:
        draft.extra["gemini"] = rest
    return draft


def say_content(draft: Draft, pairing: Pairing, turn: Mapping[str, Any], place: str) -> None:
    """Role user does not mean that a user spoke: a functionResponse is the result of a call."""
    parts = [mapping(part) for part in listed(turn.get("parts"))]
    words, calls, thoughts = list[Message](), list[Message](), list[Any]()
    for part in parts:
        if isinstance(called := part.get("functionCall") or part.get("function_call"), Mapping):
            name = text(called.get("name"))
            calls.append(call(pairing.call(name, text(called.get("id"))), name, called.get("args") or {}))
            if signature := part.get("thoughtSignature"):
                thoughts.append({"type": "thoughtSignature", "signature": signature, "call": calls[-1]["id"]})
        elif isinstance(answer := part.get("functionResponse") or part.get("function_response"), Mapping):
            name = text(answer.get("name"))
            key = pairing.result(name, text(answer.get("id")))
            said = answer.get("response")
            draft.say(result(key, [text_part(said_by(said))], name, is_error=is_failure(said)), place)
        elif part.get("thought") is True:
            thoughts.append({"type": "thought", "text": part.get("text"), "signature": part.get("thoughtSignature")})
        else:
            words += _words(draft, part, place)
    if turn.get("role") == "model":
        if words or calls:
            draft.say(assistant(words, calls, thoughts), place)
    elif words:
        pairing.close()
        draft.say({"role": "user", "content": content(words)}, place)
    if not parts:
        draft.skip("content without parts")


def said_by(response: Any) -> str:
    """The text of a response: its only text field, or its JSON."""
    fields = mapping(response)
    alone = next(iter(fields.values())) if len(fields) == 1 and fields.keys() <= ANSWERS else None
    if isinstance(alone, str):
        return alone
    return "" if response is None else compact(response)


def is_failure(response: Any) -> bool:
    return mapping(response).keys() == {"error"}


def _words(draft: Draft, part: Mapping[str, Any], place: str) -> list[Message]:
    if isinstance(part.get("text"), str):
        return [text_part(part["text"])]
    inline = mapping(part.get("inlineData") or part.get("inline_data"))
    linked = mapping(part.get("fileData") or part.get("file_data"))
    mime = text(inline.get("mimeType") or inline.get("mime_type") or linked.get("mimeType") or linked.get("mime_type"))
    uri = data_uri(inline.get("data"), mime) if inline else text(linked.get("fileUri") or linked.get("file_uri"))
    if mime.startswith("image/"):
        return [image(uri)]
    if inline or linked:
        return [file_part(mime, uri)]
    if not part or part.keys() == {"thoughtSignature"}:
        return []
    draft.note("a part that chat messages do not have, read as its JSON.", place)
    return [text_part(compact(shortened(part)))]


def add_tools(draft: Draft, declared: Mapping[str, Any]) -> None:
    functions = declared.get("functionDeclarations") or declared.get("function_declarations")
    for one in listed(functions):
        given = mapping(one)
        schema = given.get("parametersJsonSchema") or given.get("parameters")
        draft.tools.append(tool(given.get("name"), given.get("description"), lowered(schema)))
    for name in declared:
        if name not in ("functionDeclarations", "function_declarations"):
            draft.note("a tool of the provider, whose definition is not in the file: left out.", f"/tools: {name}")


def lowered(schema: Any) -> Any:
    """Gemini writes types in capitals, JSON Schema in small letters."""
    if isinstance(schema, Mapping):
        return {
            key: value.lower() if key == "type" and isinstance(value, str) else lowered(value)
            for key, value in schema.items()
        }
    return [lowered(one) for one in schema] if isinstance(schema, list) else schema


GEMINI = Format("gemini", "a Gemini generateContent request", fits, find)
