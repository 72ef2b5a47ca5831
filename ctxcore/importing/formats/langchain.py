"""LangChain and LangGraph messages in all their dumps: typed, wrapped in `data`, constructor records, tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import kind, listed, mapping, text
from ctxcore.importing.speech import Message, assistant, call, content, result

ROLES = {"human": "user", "HumanMessageChunk": "user", "ai": "assistant", "AIMessageChunk": "assistant"}
ROLES |= {"system": "system", "developer": "developer", "tool": "tool", "function": "tool", "chat": "", "remove": ""}
CALLS = {"tool_use", "function_call", "tool_call"}  # blocks of content that repeat a call
THINKING = {"thinking", "redacted_thinking", "reasoning"}
ALL = "__remove_all__"


def fits(value: Any) -> bool:
    messages = _messages(value)
    if isinstance(messages, list) and messages and all(_is_pair(one) for one in messages):
        return True
    return any(_is_message(one) for one in listed(messages)[:50])


def _messages(value: Any) -> Any:
    """The list: bare, of a state, or of a checkpoint."""
    if isinstance(value, Mapping):
        return value.get("messages") or mapping(value.get("channel_values")).get("messages")
    return value


def _is_pair(one: Any) -> bool:
    return isinstance(one, list) and len(one) == 2 and text(one[0]) in (*ROLES, "user", "assistant")


def _is_message(one: Any) -> bool:
    if not isinstance(one, Mapping) or "role" in one:
        return False
    if "lc" in one and isinstance(one.get("kwargs"), Mapping):
        return True
    return kind(one) in ROLES and ("content" in one or isinstance(one.get("data"), Mapping))


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, given))]


def _read(given: Given) -> Draft:
    messages = listed(_messages(given.value))
    draft = Draft(read=len(messages), records="messages")
    ids: list[str] = []  # of the messages that were said
    for index, one in enumerate(messages):
        place = given.place(index) if isinstance(given.value, list) else f"/messages/{index}"
        what, fields = opened(one)
        if what == "remove":
            _remove(draft, ids, text(fields.get("id")))
            continue
        before = len(draft.messages)
        say(draft, what, fields, place)
        ids += [text(fields.get("id"))] * (len(draft.messages) - before)
    return draft


def opened(one: Any) -> tuple[str, Mapping[str, Any]]:
    """The type of a message and its fields, out of any of its wrappings."""
    if isinstance(one, str):
        return "human", {"content": one}
    if _is_pair(one):
        return {"user": "human", "assistant": "ai"}.get(one[0], one[0]), {"content": one[1]}
    fields = mapping(one)
    if isinstance(fields.get("data"), Mapping):
        return kind(fields), fields["data"]
    if isinstance(fields.get("kwargs"), Mapping):
        name = listed(fields.get("id"))[-1:] or [""]
        inner = fields["kwargs"]
        return kind(inner) or str(name[0]).removesuffix("Chunk").removesuffix("Message").lower(), inner
    return kind(fields), fields


def _remove(draft: Draft, ids: list[str], key: str) -> None:
    """A message that takes others back."""
    gone = [at for at, known in enumerate(ids) if key in (ALL, known)]
    for at in reversed(gone):
        del draft.messages[at], draft.places[at], ids[at]
    draft.skip("message that was removed", len(gone))
    draft.skip("order to remove a message")


def say(draft: Draft, what: str, fields: Mapping[str, Any], place: str) -> None:
    notes: list[str] = []
    more = mapping(fields.get("additional_kwargs"))
    role = ROLES.get(what, "user" if what else "") or text(fields.get("role"))
    if role == "system" and more.get("__openai_role__") == "developer":
        role = "developer"
    blocks = [block for block in listed(fields.get("content")) if kind(block) not in CALLS | THINKING]
    given = blocks if isinstance(fields.get("content"), list) else fields.get("content")
    parts = parts_of(given, notes)
    if role == "assistant":
        thinking = [block for block in listed(fields.get("content")) if kind(block) in THINKING]
        calls = _calls(fields, more)
        message = assistant(parts, calls, thinking)
        draft.say(message if parts or calls else {**message, "content": ""}, place)
    elif role == "tool":
        key = fields.get("tool_call_id")
        draft.say(result(key, parts, fields.get("name"), is_error=fields.get("status") == "error"), place)
    elif role:
        name = {"name": fields["name"]} if text(fields.get("name")) else {}
        draft.say({"role": role, "content": content(parts) if parts else "", **name}, place)
    else:
        draft.skip("record without a type")
    for note in notes:
        draft.note(note, place)


def _calls(fields: Mapping[str, Any], more: Mapping[str, Any]) -> list[Message]:
    """The same call may stand in three places: it is read once for each id."""
    found: dict[str, Message] = {}
    for one in (*listed(fields.get("tool_calls")), *listed(fields.get("invalid_tool_calls"))):
        given = mapping(one)
        made = call(given.get("id"), given.get("name"), given.get("args"))
        found.setdefault(made["id"] or str(len(found)), made)
    for one in (*listed(more.get("tool_calls")), *listed(fields.get("content"))):
        given, inner = mapping(one), mapping(mapping(one).get("function"))
        if not inner and kind(given) not in CALLS:
            continue
        key = given.get("call_id") or given.get("id")
        arguments = inner.get("arguments", given.get("arguments", given.get("input", given.get("args"))))
        made = call(key, inner.get("name") or given.get("name"), arguments)
        found.setdefault(made["id"] or str(len(found)), made)
    return list(found.values())


LANGCHAIN = Format("langchain", "LangChain or LangGraph messages, in any of their dumps", fits, find)
