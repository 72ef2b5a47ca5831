"""ShareGPT and its relatives: from and value, LLaMA-Factory's messages with images, Alpaca."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import image, parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.shapes import has, head, kind, listed, mapping, objects, text, unpacked
from ctxcore.importing.speech import Message, assistant, call, content, result, text_part, tool

NAMES = ("conversations", "conversation", "items", "messages")
ROLES = {"human": "user", "user": "user", "gpt": "assistant", "assistant": "assistant", "chatgpt": "assistant"}
ROLES |= {"bing": "assistant", "bard": "assistant", "system": "system", "function_call": "call", "tool_call": "call"}
ROLES |= {"observation": "result", "tool": "result", "tool_response": "result"}
IMAGE = re.compile(r"<image>")


def fits(value: Any) -> bool:
    return all(map(_is_sample, rows)) if (rows := objects(value)) else _is_sample(value)


def _is_sample(value: Any) -> bool:
    if has(value, "instruction", "output"):
        return True
    turns = _turns(value)
    if isinstance(value, Mapping) and "messages" in value:
        return "images" in value or any(
            has(part, "type", "value") for part in listed(mapping(head(turns)).get("content"))
        )
    return has(head(turns), "from", "value") or (isinstance(value, Mapping) and has(head(turns), "role", "content"))


def _turns(value: Any) -> list[Any]:
    return next((found for name in NAMES if (found := listed(mapping(value).get(name)))), [])


def find(given: Given) -> Sequence[Found]:
    if isinstance(given.value, Mapping):
        return [Found(partial(_read, given.value, ""))]
    return [
        Found(partial(_read, one, given.place(at)))
        for at, one in enumerate(given.value)
        if isinstance(one, Mapping) and _is_sample(one)
    ]


def _read(sample: Mapping[str, Any], where: str) -> Draft:
    draft = Draft(records="turns")
    if has(sample, "instruction", "output"):
        return _alpaca(draft, sample, where)
    turns, pairing = _turns(sample), Pairing()
    draft.read = len(turns)
    if text(sample.get("system")):
        draft.say({"role": "system", "content": sample["system"]}, f"{where}/system")
        draft.read += 1
    images = iter([one for one in listed(sample.get("images")) if isinstance(one, str)])
    for index, turn in enumerate(turns):
        _turn(draft, pairing, mapping(turn), f"{where}/{index}", images)
    for definition in listed(unpacked(sample.get("tools"))):
        given = mapping(definition)
        inner = mapping(given.get("function")) or given
        draft.tools.append(tool(inner.get("name"), inner.get("description"), inner.get("parameters")))
    return draft


def _turn(draft: Draft, pairing: Pairing, turn: Mapping[str, Any], place: str, images: Any) -> None:
    role = ROLES.get(text(turn.get("from")) or text(turn.get("role")), "")
    said = turn.get("value") if "value" in turn else turn.get("content")
    notes: list[str] = []
    parts = _parts(said, images, notes)
    if role == "call":
        words, calls = called(text(said), pairing)
        if not calls:
            draft.note("a call that is no JSON, read as words.", place)
        draft.say(assistant([text_part(words)] if words else [], calls), place)
    elif role == "result":
        key = pairing.result()
        made = result(key, parts)
        if not key:
            del made["tool_call_id"]
            draft.note("a result without a call before it.", place)
        draft.say(made, place)
    elif role:
        if role == "user":
            pairing.close()
        draft.say({"role": role, "content": content(parts) if parts else ""}, place)
    else:
        draft.skip("turn of an unknown speaker")
    for note in notes:
        draft.note(note, place)


def _parts(said: Any, images: Any, notes: list[str]) -> list[Message]:
    """Words, and the pictures that `<image>` stands for; in the newer form blocks whose text is called value."""
    if isinstance(said, list):
        blocks = [_block(mapping(one)) for one in said]
        return parts_of(blocks, notes)
    if not isinstance(said, str) or "<image>" not in said:
        return parts_of(said, notes)
    out = list[Message]()
    for at, piece in enumerate(IMAGE.split(said)):
        if at and (path := next(images, None)) is not None:
            out.append(image(path))
        elif at:
            notes.append("a place for a picture, and no picture for it.")
        if piece:
            out.append(text_part(piece))
    return out


def _block(one: Mapping[str, Any]) -> Mapping[str, Any]:
    value = one.get("value")
    if kind(one) == "image_url" and isinstance(value, str):
        return image(value)
    return {"type": "text", "text": value} if kind(one) in ("text", "reasoning") else one


def called(said: str, pairing: Pairing) -> tuple[str, list[Message]]:
    """The words before the JSON of one call or several, and the calls."""
    start = min((at for at in (said.find("{"), said.find("[")) if at >= 0), default=-1)
    try:
        value = json.loads(said[start:]) if start >= 0 else None
    except (ValueError, RecursionError):
        value = None
    made = [mapping(one) for one in (value if isinstance(value, list) else [value])]
    if not all(text(one.get("name")) for one in made):
        return said, []
    return said[:start].strip(), [
        call(pairing.call(one["name"]), one["name"], one.get("arguments", one.get("parameters", {}))) for one in made
    ]


def _alpaca(draft: Draft, sample: Mapping[str, Any], where: str) -> Draft:
    pairs = [pair for pair in listed(sample.get("history")) if isinstance(pair, list) and len(pair) == 2]
    asked = "\n".join(filter(None, (text(sample.get("instruction")), text(sample.get("input")))))
    said = [("system", text(sample.get("system")))] if text(sample.get("system")) else []
    said += [turn for first, second in pairs for turn in (("user", text(first)), ("assistant", text(second)))]
    for role, words in (*said, ("user", asked), ("assistant", text(sample.get("output")))):
        draft.say({"role": role, "content": words}, where)
    draft.read = len(draft.messages)
    return draft


SHAREGPT = Format("sharegpt", "ShareGPT, LLaMA-Factory or Alpaca data sets: each sample a conversation", fits, find)
