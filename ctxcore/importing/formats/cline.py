"""Cline and Roo: Anthropic messages with times; results come back as text, or calls are written as tags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.anthropic_messages import say_message
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.shapes import kind, listed, mapping, objects, text

TOOLS = "replace_in_file|write_to_file|read_file|execute_command|search_files|list_files|browser_action|use_mcp_tool"
TOOLS += "|list_code_definition_names|access_mcp_resource|ask_followup_question|attempt_completion|new_task"
TOOLS += "|plan_mode_respond|apply_diff|insert_content|switch_mode|update_todo_list"
TAG = re.compile(rf"^<({TOOLS})>\s*$", re.MULTILINE)
RESULT = re.compile(r"^\[(\w+)[^\]]*\] Result:")
NOISE = re.compile(r"^\[ERROR\] You did not use a tool")


def fits(value: Any) -> bool:
    rows = objects(value)
    if not rows or not all("role" in one and "content" in one for one in rows):
        return False
    return any("ts" in one or "modelInfo" in one for one in rows) or any(
        TAG.search(words) for one in rows if one.get("role") == "assistant" for words in _texts(one)
    )


def _texts(message: Mapping[str, Any]) -> list[str]:
    given = message.get("content")
    return [given] if isinstance(given, str) else [text(mapping(one).get("text")) for one in listed(given)]


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, given))]


def _read(given: Given) -> Draft:
    draft, pairing = Draft(read=len(given.value), records="messages"), Pairing()
    for index, one in enumerate(given.value):
        message, place = mapping(one), given.place(index)
        if message.get("condenseParent") or message.get("truncationParent"):
            draft.skip("message that was condensed and is not sent any more")
            continue
        blocks = message.get("content")
        if message.get("role") == "assistant":
            _cut_off(draft, message, place)
            blocks = [_called(block, pairing) for block in listed(blocks)] or blocks
        elif isinstance(blocks, list):
            blocks = [_answered(block, pairing) for block in blocks]
            if any(NOISE.match(words) for words in _texts(message)):
                draft.note("a turn that only says that no tool was used: noise that can go.", place)
        say_message(draft, {"role": message.get("role"), "content": blocks}, place)
    return draft


def _called(block: Any, pairing: Pairing) -> Any:
    given = mapping(block)
    if kind(given) != "tool_use":
        return block
    key = pairing.call(text(given.get("name")), text(given.get("id")) or text(given.get("call_id")))
    return {**given, "id": key}


def _answered(block: Any, pairing: Pairing) -> Any:
    """A text that begins with `[tool for '…'] Result:` answers the oldest call of that tool."""
    found = RESULT.match(text(mapping(block).get("text")))
    if not found or not (key := pairing.result(found[1])):
        return block
    return {"type": "tool_result", "tool_use_id": key, "content": block["text"]}


def _cut_off(draft: Draft, message: Mapping[str, Any], place: str) -> None:
    for words in _texts(message):
        if (opened := TAG.search(words)) and f"</{opened[1]}>" not in words:
            draft.note(f"a call of {opened[1]} that was cut off before its closing tag.", place)


CLINE = Format("cline", "a conversation of Cline or Roo (api_conversation_history.json)", fits, find)
