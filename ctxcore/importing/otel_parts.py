"""Messages as traces write them: OpenTelemetry's parts, chat messages of many makes, or a text with speakers."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from ctxcore.importing.anthropic_messages import BLOCKS, say_message
from ctxcore.importing.blocks import data_uri, file_part, image, parts_of, shortened
from ctxcore.importing.draft import Draft
from ctxcore.importing.formats.gemini import PARTS, add_tools, lowered, said_by, say_content
from ctxcore.importing.formats.langchain import opened, say
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.responses_items import TYPES, Items
from ctxcore.importing.shapes import head, kind, listed, mapping, part_types, text, unpacked
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part, tool

SPEAKER = re.compile(r"^(user|assistant|system|developer|tool): ", re.MULTILINE)
FIELD = re.compile(r"(\w+)=('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|None|\[.*?\](?=\s\w+=|$)|\S+)", re.DOTALL)


def say_all(draft: Draft, messages: Any, place: str) -> None:
    """`messages` may be a list, one message, or their JSON; each is read as what it looks like."""
    value = unpacked(messages)
    if isinstance(value, str):
        return _say_text(draft, value, place)
    items, pairing = Items(draft), Pairing()
    for index, one in enumerate(value if isinstance(value, list) else [value]):
        _say_one(draft, unpacked(one), f"{place}/{index}", items, pairing)
    items.done()
    return None


def _say_one(draft: Draft, one: Any, place: str, items: Items, pairing: Pairing) -> None:
    draft.read += 1
    if isinstance(one, str):
        one = printed(one)
    message = mapping(one)
    parts = listed(message.get("parts"))
    if parts and PARTS & mapping(head(parts)).keys() and not kind(head(parts)):
        say_content(draft, pairing, message, place)
    elif parts:
        _say_parts(draft, pairing, message, place)
    elif "role" not in message and (kind(message) in TYPES or kind(message) == "message"):
        items.add(message, place)
    elif "role" not in message:
        what, fields = opened(message)
        say(draft, what, fields, place)
    elif message.get("role") == "tool" and kind(mapping(unpacked(message.get("content")))) == "function":
        draft.tools.append(dict(mapping(unpacked(message.get("content")))))
        draft.skip("tool definition among the messages, read as a tool")
    elif part_types(message) & {"tool-call", "tool-result"}:
        _say_sdk(draft, message, place)
    elif part_types(message) & BLOCKS:
        say_message(draft, message, place)
    else:
        _say_chat(draft, message, place)


def _say_chat(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    notes: list[str] = []
    parts = parts_of(message.get("content"), notes)
    given = message.get("tool_calls") or mapping(message.get("additional_kwargs")).get("tool_calls")
    calls = [one for one in listed(given) if isinstance(one, Mapping)]
    role = text(message.get("role"))
    if role in ("tool", "function"):
        draft.say(result(message.get("tool_call_id"), parts, message.get("name")), place)
    elif role in ("assistant", "model", "ai"):
        made = [one if "function" in one else call(one.get("id"), one.get("name"), one.get("args")) for one in calls]
        draft.say(assistant(parts, [dict(one) for one in made]) if parts or made else assistant([text_part("")]), place)
    else:
        draft.say({"role": role or "user", "content": content(parts) if parts else ""}, place)
    for note in notes:
        draft.note(note, place)


def _say_parts(draft: Draft, pairing: Pairing, message: Mapping[str, Any], place: str) -> None:
    """`{role, parts: [{type: text, content} | tool_call | tool_call_response | reasoning | blob | uri | …]}`"""
    words, calls, thinking = list[Message](), list[Message](), list[Any]()
    for part in map(mapping, listed(message.get("parts"))):
        what, name = kind(part), text(part.get("name"))
        if what in ("tool_call", "server_tool_call"):
            calls.append(call(pairing.call(name, text(part.get("id"))), name, part.get("arguments")))
        elif what in ("tool_call_response", "server_tool_call_response"):
            said = part.get("response", part.get("result"))
            key = pairing.result(name, text(part.get("id")))
            draft.say(result(key, [text_part(said_by(said))], name), place)
        elif what == "reasoning" or what.endswith("ReasoningContent"):
            thinking.append(part)
        else:
            words += _part(draft, part, what, place)
    if message.get("role") in ("assistant", "model"):
        if words or calls:
            draft.say(assistant(words, calls, thinking), place)
    elif words:
        draft.say({"role": text(message.get("role")) or "user", "content": content(words)}, place)


def _part(draft: Draft, part: Mapping[str, Any], what: str, place: str) -> list[Message]:
    mime = text(part.get("mime_type"))
    uri = data_uri(part.get("content"), mime) if what == "blob" else text(part.get("uri"))
    if what == "text":
        return [text_part(compact(part.get("content") or part.get("text") or ""))]
    if what in ("blob", "uri"):
        is_image = "image" in (text(part.get("modality")), mime.partition("/")[0])
        return [image(uri) if is_image else file_part(mime, uri)]
    if what == "file":
        return [file_part("", file_id=part.get("file_id"))]
    draft.note(f"a part of type {what or 'unknown'}, read as its JSON.", place)
    return [text_part(compact(shortened(part)))]


def _say_sdk(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    """Vercel's AI SDK: calls and results are parts of the content."""
    blocks = [mapping(one) for one in listed(message.get("content"))]
    for one in blocks:
        if kind(one) == "tool-result":
            output = mapping(one.get("output")).get("value", one.get("output", one.get("result")))
            draft.say(result(one.get("toolCallId"), [text_part(compact(output))], one.get("toolName")), place)
    calls = [sdk_call(one) for one in blocks if kind(one) == "tool-call"]
    notes: list[str] = []
    words = parts_of([one for one in blocks if not kind(one).startswith("tool-")], notes)
    if words or calls:
        draft.say(assistant(words, calls) if calls else {"role": message["role"], "content": content(words)}, place)


def sdk_call(one: Mapping[str, Any]) -> Message:
    return call(one.get("toolCallId"), one.get("toolName"), one.get("input", one.get("args")))


def _say_text(draft: Draft, words: str, place: str) -> None:
    """A text in which each message begins with its speaker; else one text by the user."""
    pieces = SPEAKER.split(words)
    if len(pieces) < 3 or pieces[0].strip():
        if words.strip():
            draft.read += 1
            draft.say({"role": "user", "content": words}, place)
        return
    for role, said in zip(pieces[1::2], pieces[2::2], strict=True):
        draft.read += 1
        draft.say({"role": role if role != "tool" else "user", "content": said.removesuffix("\n")}, place)


def printed(words: str) -> Mapping[str, Any]:
    """A message as Python prints one: role='user' content='…' tool_calls=[…]."""
    if not words.startswith(("role=", "content=")):
        return {"role": "user", "content": words}
    fields = dict[str, Any]()
    for name, raw in FIELD.findall(words):
        try:
            fields.setdefault(name, ast.literal_eval(raw))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            fields.setdefault(name, None)
    return {
        name: fields[name] for name in ("role", "content", "tool_calls", "tool_call_id", "name") if fields.get(name)
    }


def add_definitions(draft: Draft, definitions: Any) -> None:
    """Tool definitions of any make: a list, or texts of their JSON."""
    for one in listed(unpacked(definitions)):
        given = mapping(unpacked(one))
        inner = mapping(given.get("function")) or given
        if inner.get("name") in [known["function"].get("name") for known in draft.tools if "function" in known]:
            continue
        schema = next((inner[name] for name in SCHEMAS if isinstance(inner.get(name), Mapping)), None)
        if "functionDeclarations" in given:
            add_tools(draft, given)
        elif text(inner.get("name")):
            draft.tools.append(tool(inner["name"], inner.get("description"), lowered(schema)))


SCHEMAS = ("parameters", "input_schema", "inputSchema", "parameters_json_schema", "json_schema")
