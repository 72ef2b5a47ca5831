"""Logs of Inspect evaluations: each sample is a conversation; long texts stand in attachments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import image, parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import has, kind, listed, mapping, text
from ctxcore.importing.speech import assistant, call, content, result, tool

POINTERS = ("attachment://", "tc://")
THINKING = {"reasoning", "redacted_reasoning"}


def fits(value: Any) -> bool:
    return has(value, "samples", "eval")


def find(given: Given) -> Sequence[Found]:
    samples = [one for one in listed(given.value.get("samples")) if isinstance(one, Mapping)]
    model = text(mapping(given.value.get("eval")).get("model")).rpartition("/")[2]
    return [Found(partial(_read, one, at, model)) for at, one in enumerate(samples)]


def _read(sample: Mapping[str, Any], number: int, model: str) -> Draft:
    messages, texts = listed(sample.get("messages")), mapping(sample.get("attachments"))
    draft = Draft(read=len(messages), records="messages")
    for index, message in enumerate(messages):
        _message(draft, mapping(message), texts, f"/samples/{number}/messages/{index}")
    calls = [one for one in map(mapping, listed(sample.get("events"))) if one.get("event") == "model"]
    for one in map(mapping, listed(calls[-1].get("tools")) if calls else []):
        draft.tools.append(tool(one.get("name"), whole(one.get("description"), texts), one.get("parameters")))
    if model:
        draft.settings["model"] = model
    return draft


def whole(value: Any, texts: Mapping[str, Any]) -> Any:
    """The text that a pointer stands for."""
    if isinstance(value, str):
        mark = next((mark for mark in POINTERS if value.startswith(mark)), "")
        return texts.get(value.removeprefix(mark), value) if mark else value
    if isinstance(value, Mapping):
        return {key: whole(one, texts) for key, one in value.items()}
    return [whole(one, texts) for one in value] if isinstance(value, list) else value


def _message(draft: Draft, message: Mapping[str, Any], texts: Mapping[str, Any], place: str) -> None:
    notes: list[str] = []
    given = whole(message.get("content"), texts)
    blocks = [_block(one) for one in listed(given) if kind(one) not in THINKING]
    parts = parts_of(blocks if isinstance(given, list) else given, notes)
    role = text(message.get("role"))
    if role == "assistant":
        calls = [
            call(one.get("id"), one.get("function"), whole(one.get("arguments"), texts))
            for one in map(mapping, listed(message.get("tool_calls")))
        ]
        thinking = [one for one in listed(given) if kind(one) in THINKING]
        said = assistant(parts, calls, thinking)
        draft.say(said if parts or calls else {**said, "content": ""}, place)
    elif role == "tool":
        failed = bool(message.get("error"))
        draft.say(result(message.get("tool_call_id"), parts, message.get("function"), is_error=failed), place)
    elif role:
        draft.say({"role": role, "content": content(parts) if parts else ""}, place)
    else:
        draft.skip("record without a role")
    for note in notes:
        draft.note(note, place)


def _block(one: Any) -> Any:
    """Inspect writes the address of a picture as `image`."""
    return image(text(one.get("image")), one.get("detail")) if kind(one) == "image" else one


INSPECT = Format("inspect", "a log of an Inspect evaluation (JSON, or .eval): each sample a conversation", fits, find)
