"""Pieces of content as all providers write them, to the parts of OpenAI's chat shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ctxcore.importing.speech import Message, compact, text_part

TEXTS = {"text", "input_text", "output_text", "summary_text", "reasoning_text"}
OPAQUE = re.compile(r"[A-Za-z0-9+/_=-]{200,}")  # base64 of pictures, signatures, encrypted content: never read as text
KEPT = ("cache_control",)  # marks of a part that are written back


def parts_of(value: Any, notes: list[str]) -> list[Message]:
    """`value` is what stands in `content`: a text, a block, a list of both, or nothing. What had to be done to read a
    block stands in `notes`."""
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return [text_part(value)]
    if isinstance(value, Mapping) and not isinstance(value.get("type"), str):
        notes.append("an object in place of a text, read as its JSON.")
        return [text_part(compact(shortened(value)))]
    values = value if isinstance(value, list) else [value]
    return [part for one in values for part in part_of(one, notes)]


def part_of(block: Any, notes: list[str]) -> list[Message]:
    """The parts that one block makes: mostly one, none for an empty one."""
    if not isinstance(block, Mapping):
        return [] if block is None else [text_part(compact(block))]
    kind = block["type"] if isinstance(block.get("type"), str) else None
    marks = {name: block[name] for name in KEPT if block.get(name)}
    if isinstance(text := block.get("text"), str) and (kind in TEXTS or kind is None):
        return [text_part(text, **marks)]
    if part := _media(block, kind):
        return [{**part, **marks}]
    if kind == "refusal" and isinstance(block.get("refusal"), str):
        return [{"type": "refusal", "refusal": block["refusal"]}]
    notes.append(f"a block of type {compact(kind)}, which chat messages do not have, read as its JSON.")
    return [text_part(compact(shortened(block)))]


def _media(block: Mapping[str, Any], kind: Any) -> Message | None:
    if kind in ("image_url", "input_image"):
        return _openai_image(block)
    if kind == "image":
        return image(_address(block), block.get("detail"))
    if kind in ("document", "input_file", "file"):
        return _file(block)
    if kind == "input_audio" and isinstance(block.get("input_audio"), Mapping):
        return {"type": "input_audio", "input_audio": dict(block["input_audio"])}
    return None


def image(url: str, detail: Any = None) -> Message:
    return {"type": "image_url", "image_url": {"url": url, **({"detail": detail} if isinstance(detail, str) else {})}}


def data_uri(data: Any, mime: Any) -> str:
    """`data` is base64, or a data URI already."""
    text = data if isinstance(data, str) else ""
    return text if text.startswith("data:") else f"data:{mime if isinstance(mime, str) else ''};base64,{text}"


def file_part(name: Any, uri: str = "", file_id: Any = None) -> Message:
    inner: dict[str, Any] = {"filename": name} if isinstance(name, str) and name else {}
    if uri:
        inner["file_data"] = uri
    if isinstance(file_id, str) and file_id:
        inner["file_id"] = file_id
    return {"type": "file", "file": inner}


def _openai_image(block: Mapping[str, Any]) -> Message:
    inner = block.get("image_url")
    if isinstance(inner, Mapping):
        return image(compact(inner.get("url") or ""), inner.get("detail"))
    return image(inner if isinstance(inner, str) else f"file:{block.get('file_id') or ''}", block.get("detail"))


def _file(block: Mapping[str, Any]) -> Message:
    inner = block["file"] if isinstance(block.get("file"), Mapping) else block
    source = inner.get("source")
    name = inner.get("filename") or inner.get("name") or inner.get("title")
    if isinstance(source, Mapping) and source.get("type") == "text":  # a document that is words: read as such
        return text_part(compact(source.get("data") or ""), **({"title": name} if isinstance(name, str) else {}))
    uri = inner.get("file_data") or inner.get("file_url") or _address(inner)
    key = inner.get("file_id") or (source.get("file_id") if isinstance(source, Mapping) else None)
    return file_part(name, uri if isinstance(uri, str) else "", key)


def _address(block: Mapping[str, Any]) -> str:
    """Where a picture or file is: Anthropic's `source`, MCP's and LangChain's flat fields, or an address."""
    source = block.get("source")
    inner = source if isinstance(source, Mapping) else block
    data = inner.get("data") or inner.get("base64")
    mime = inner.get("media_type") or inner.get("mimeType") or inner.get("mime_type") or ""
    if isinstance(data, str) and data:
        return data_uri(data, mime)
    for name in ("url", "image", "image_url", "path", "uri", "file_id"):
        if isinstance(found := inner.get(name), str) and found:
            return found
    return ""


def shortened(value: Any) -> Any:
    """The value with long opaque texts named by their size."""
    if isinstance(value, str):
        return OPAQUE.sub(lambda match: f"[{len(match[0]):,} characters of data]", value)
    if isinstance(value, Mapping):
        return {key: shortened(item) for key, item in value.items()}
    return [shortened(item) for item in value] if isinstance(value, list) else value
