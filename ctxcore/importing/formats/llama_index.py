"""LlamaIndex: chat messages with blocks, chat stores, retrieved nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import data_uri, file_part, image, shortened
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import has, head, listed, mapping, text
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part
from ctxcore.scenario import Record


def fits(value: Any) -> bool:
    if isinstance(value, Mapping):
        return has(value, "store", "class_name") and isinstance(value["store"], Mapping)
    first = mapping(head(value))
    return (
        has(first, "role", "blocks")
        or (has(first, "role", "additional_kwargs") and "type" not in first)
        or is_node(first)
    )


def is_node(value: Any) -> bool:
    return has(value, "node", "score") and "text" in mapping(value["node"])


def find(given: Given) -> Sequence[Found]:
    if isinstance(given.value, Mapping):
        return [Found(partial(_read, listed(one), f"/store/{key}")) for key, one in given.value["store"].items()]
    return [Found(partial(_read, given.value, ""))]


def _read(messages: Sequence[Any], where: str) -> Draft:
    draft = Draft(read=len(messages), records="messages")
    for index, one in enumerate(messages):
        place = f"{where}/{index}"
        if is_node(one):
            node, score = mapping(one["node"]), one["score"]
            title = text(mapping(node.get("metadata")).get("file_name")) or text(node.get("id_"))
            known = score if isinstance(score, int | float) else None
            draft.documents.append(Record("", compact(node["text"]), title, known))
            draft.skip("node, read as a document")
        elif has(one, "role"):
            _message(draft, one, place)
        else:
            draft.skip("record that is no message")
    return draft


def _message(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    more, role = mapping(message.get("additional_kwargs")), text(message.get("role"))
    blocks = [mapping(one) for one in listed(message.get("blocks"))]
    words = [part for one in blocks for part in _parts(one)]
    if not blocks and isinstance(message.get("content"), str) and message["content"]:
        words = [text_part(message["content"])]
    thinking = [one for one in blocks if one.get("block_type") == "thinking"]
    made = [
        call(one.get("tool_call_id"), one.get("tool_name"), one.get("tool_kwargs")) for one in blocks if _is_call(one)
    ]
    given = [dict(one) for one in listed(more.get("tool_calls")) if isinstance(one, Mapping)]
    if role == "assistant":
        said = assistant(words, made or given, thinking)
        draft.say(said if words or made or given else {**said, "content": ""}, place)
    elif role in ("tool", "function"):
        draft.say(result(more.get("tool_call_id"), words, more.get("name")), place)
    else:
        draft.say({"role": role, "content": content(words) if words else ""}, place)


def _is_call(block: Mapping[str, Any]) -> bool:
    return block.get("block_type") == "tool_call"


def _parts(block: Mapping[str, Any]) -> list[Message]:
    match block.get("block_type"):
        case "text":
            return [text_part(compact(block.get("text") or ""))]
        case "image":
            data = block.get("image")
            known = data_uri(data, block.get("image_mimetype") or "image/png") if text(data) else ""
            return [image(known or text(block.get("url")) or text(block.get("path")), block.get("detail"))]
        case "document" | "audio" | "video":
            name = text(block.get("title")) or text(block.get("path")) or text(block.get("url"))
            return [
                file_part(
                    name, data_uri(block["data"], block.get("document_mimetype")) if text(block.get("data")) else ""
                )
            ]
        case "thinking" | "tool_call":
            return []
        case _:
            return [text_part(compact(shortened(block)))]


LLAMA_INDEX = Format("llama-index", "LlamaIndex chat messages, chat stores or retrieved nodes", fits, find)
