"""Anthropic's messages as chat messages: results stand alone, thinking and marks are kept, hosted calls are split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.importing.blocks import parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.shapes import kind, listed, mapping, text
from ctxcore.importing.speech import Message, assistant, call, content, result

CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
THINKING = {"thinking", "redacted_thinking"}
BLOCKS = CALLS | THINKING | {"tool_result", "compaction"}
NOT_COUNTED = "thinking is kept with its message, not counted in a build: chat messages have no place for it."


def say_message(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    """Adds the chat messages that one message makes: its results, its words, its calls."""
    role, given = text(message.get("role")), message.get("content")
    blocks = given if isinstance(given, list) else [given] if given else []
    if not blocks:
        draft.skip("empty message")
    elif role == "assistant":
        _say_assistant(draft, blocks, place)
    elif role in ("user", "system"):
        _say_user(draft, role, blocks, place)
    else:
        draft.skip(f"role {role or 'missing'}")


def is_result(block: Any) -> bool:
    return kind(block) == "tool_result" or kind(block).endswith("_tool_result")


def _say_user(draft: Draft, role: str, blocks: list[Any], place: str) -> None:
    for block in blocks:
        if is_result(block):
            draft.say(_result(draft, block, place), place)
    notes: list[str] = []
    rest = parts_of([block for block in blocks if not is_result(block)], notes)
    if rest:
        draft.say({"role": role, "content": content(rest)}, place)
    for note in notes:
        draft.note(note, place)


def _say_assistant(draft: Draft, blocks: list[Any], place: str) -> None:
    """One message; a call that the provider ran itself is answered in it, and what follows becomes a second one."""
    turn = _Turn()
    for block in blocks:
        if kind(block) == "compaction":
            _compact(draft, block, place)
            continue
        if is_result(block):
            turn.say(draft, place)
            draft.say(_result(draft, block, place), place)
            draft.note("a call that the provider ran itself, read as a call with its result.", place)
            turn = _Turn()
        else:
            turn.add(block)
    turn.say(draft, place)


class _Turn:
    """The blocks of one assistant message, sorted."""

    def __init__(self) -> None:
        self.words: list[Any] = []
        self.calls: list[Message] = []
        self.thinking: list[Any] = []

    def add(self, block: Any) -> None:
        if kind(block) in CALLS:
            made = call(block.get("id"), block.get("name"), block.get("input"))
            self.calls.append({**made, **({"cache_control": mark} if (mark := block.get("cache_control")) else {})})
        elif kind(block) in THINKING:
            self.thinking.append(block)
        else:
            self.words.append(block)

    def say(self, draft: Draft, place: str) -> None:
        notes: list[str] = []
        parts = parts_of(self.words, notes)
        if self.thinking:
            draft.note(NOT_COUNTED, place)
        if parts or self.calls:
            draft.say(assistant(parts, self.calls, self.thinking), place)
        elif self.thinking:
            draft.skip("reply with nothing but thinking")
        for note in notes:
            draft.note(note, place)


def _result(draft: Draft, block: Mapping[str, Any], place: str) -> Message:
    notes: list[str] = []
    parts = parts_of(block.get("content"), notes)
    for note in notes:
        draft.note(note, place)
    made = result(block.get("tool_use_id"), parts, is_error=block.get("is_error") is True)
    return {**made, **({"cache_control": mark} if (mark := block.get("cache_control")) else {})}


def _compact(draft: Draft, block: Mapping[str, Any], place: str) -> None:
    """The API reads nothing that stands before a compaction: the summary takes its place."""
    leading = next((at for at, one in enumerate(draft.messages) if one["role"] != "system"), len(draft.messages))
    before = len(draft.messages) - leading
    del draft.messages[leading:], draft.places[leading:]
    draft.skip("message before the compaction, which the API does not read", before)
    draft.say({"role": "user", "content": text(block.get("content"))}, place)


def chat_tool(definition: Any, draft: Draft) -> None:
    """A definition with an `input_schema`; those of the provider and deferred ones cost what no file tells."""
    tool = mapping(definition)
    name = text(tool.get("name"))
    if tool.get("defer_loading") is True:
        draft.note("a tool that is loaded only when it is searched for: left out.", f"/tools: {name}")
        return
    if not isinstance(tool.get("input_schema"), Mapping):
        draft.note("a tool of the provider, whose definition is not in the file: left out.", f"/tools: {name}")
        return
    function = {"name": name, "description": text(tool.get("description")), "parameters": tool["input_schema"]}
    mark = {"cache_control": tool["cache_control"]} if tool.get("cache_control") else {}
    draft.tools.append({"type": "function", "function": function, **mark})


def unlogged(usage: Any) -> int:
    """Input tokens that a bill names: the three counts are disjoint."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(count for name in names if isinstance(count := mapping(usage).get(name), int))


def all_blocks(messages: Any) -> Iterator[Any]:
    """The blocks of all messages."""
    return (block for message in listed(messages) for block in listed(mapping(message).get("content")))
