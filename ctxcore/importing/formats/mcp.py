"""Results of MCP tools and lists of MCP tools; `content` is what counts, the structured form only where it is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import data_uri, file_part, image, parts_of, shortened
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import head, kind, listed, mapping, text
from ctxcore.importing.speech import Message, compact, content, text_part, tool

MARKS = {"isError", "structuredContent", "_meta"}


def fits(value: Any) -> bool:
    if not isinstance(value, Mapping) or "role" in value or "messages" in value:
        return False
    if "jsonrpc" in value:
        return isinstance(value.get("result"), Mapping)
    inputs = mapping(head(value.get("tools")))
    return (bool(kind(head(value.get("content")))) and bool(MARKS & value.keys())) or "inputSchema" in inputs


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, given.value))]


def _read(value: Mapping[str, Any]) -> Draft:
    answer = mapping(value["result"]) if "jsonrpc" in value else value
    draft = Draft(records="blocks")
    for one in map(mapping, listed(answer.get("tools"))):
        draft.tools.append(tool(one.get("name"), one.get("description"), one.get("inputSchema")))
    blocks, notes = listed(answer.get("content")), list[str]()
    parts = [part for one in blocks for part in _parts(mapping(one), notes)]
    structured = answer.get("structuredContent")
    if structured is not None:
        parts = _with_structured(draft, parts, structured)
    draft.read = 1
    if parts:
        message: Message = {"role": "tool", "content": content(parts)}
        if answer.get("isError") is True:
            message["is_error"] = True
        draft.say(message, "/content")
    for note in notes:
        draft.note(note, "/content")
    return draft


def _with_structured(draft: Draft, parts: list[Message], structured: Any) -> list[Message]:
    size = len(compact(shortened(structured)))
    if parts:
        draft.extra["structuredContent"] = structured
        draft.warnings.append(
            f"/structuredContent: {size:,} characters, not read, as there is content; some clients send it instead."
        )
        return parts
    draft.warnings.append(f"/structuredContent: {size:,} characters, read in place of the empty content.")
    return [text_part(compact(shortened(structured)))]


def _parts(block: Mapping[str, Any], notes: list[str]) -> list[Message]:
    what = kind(block)
    if what == "image":
        return [image(data_uri(block.get("data"), block.get("mimeType")))]
    if what == "audio":
        name = text(block.get("mimeType")).rpartition("/")[2] or "wav"
        return [{"type": "input_audio", "input_audio": {"data": text(block.get("data")), "format": name}}]
    if what == "resource":
        inner = mapping(block.get("resource"))
        if isinstance(inner.get("text"), str):
            return [text_part(inner["text"])]
        return [file_part(inner.get("uri"), data_uri(inner.get("blob"), inner.get("mimeType")))]
    if what == "resource_link":
        return [text_part(f"{text(block.get('name'))} {text(block.get('uri'))}".strip())]
    return parts_of([block], notes)


MCP = Format("mcp", "the result of an MCP tool, or a list of MCP tools", fits, find)
