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
from ctxcore.words import Phrase

CONTENT, STRUCTURED, BOTH = READINGS = ("content", "structuredContent", Phrase("reading-both"))
MARKS = {"isError", "structuredContent", "_meta"}


def fits(value: Any) -> bool:
    if not isinstance(value, Mapping) or "role" in value or "messages" in value:
        return False
    if "jsonrpc" in value:
        return isinstance(value.get("result"), Mapping)
    inputs = mapping(head(value.get("tools")))
    return (bool(kind(head(value.get("content")))) and bool(MARKS & value.keys())) or "inputSchema" in inputs


def find(given: Given) -> Sequence[Found]:
    """The content; where there is a structured form too, that one and both can be chosen: clients differ."""
    answer = mapping(given.value["result"]) if "jsonrpc" in given.value else given.value
    if not answer.get("content") or answer.get("structuredContent") is None:
        return [Found(partial(_read, answer, STRUCTURED if "structuredContent" in answer else CONTENT))]
    return [Found(partial(_read, answer, which), is_default=which == CONTENT, says=which) for which in READINGS]


def _read(answer: Mapping[str, Any], which: str) -> Draft:
    draft, notes = Draft(read=1, records="results"), list[str]()
    for one in map(mapping, listed(answer.get("tools"))):
        draft.tools.append(tool(one.get("name"), one.get("description"), one.get("inputSchema")))
    parts = [part for one in listed(answer.get("content")) for part in _parts(mapping(one), notes)]
    structured = compact(shortened(answer.get("structuredContent")))
    if which != CONTENT and answer.get("structuredContent") is not None:
        parts = [*(parts if which == BOTH else []), text_part(structured)]
    elif answer.get("structuredContent") is not None:
        told = f"/structuredContent: {len(structured):,} characters, left out, as there is content; some send it"
        draft.warnings.append(f"{told}: --conversation 1, or both: --conversation 2.")
    if parts:
        message: Message = {"role": "tool", "content": content(parts)}
        if answer.get("isError") is True:
            message["is_error"] = True
        draft.say(message, "/content")
    for note in notes:
        draft.note(note, "/content")
    return draft


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
