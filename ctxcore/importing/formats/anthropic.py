"""Anthropic Messages requests: system beside the messages, blocks, tools with an input_schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.anthropic_messages import BLOCKS, all_blocks, chat_tool, say_message
from ctxcore.importing.blocks import parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.shapes import has, head, kind, listed, mapping, text
from ctxcore.importing.speech import content

OWN = ("messages", "system", "tools")


def fits(value: Any) -> bool:
    """Like OpenAI's, but the system text stands beside the messages, or blocks or tools are Anthropic's."""
    if isinstance(value, list):
        return _are_messages(value)
    if has(value, "role", "content", "stop_reason"):
        return True  # an answer
    if not isinstance(value, Mapping) or not isinstance(value.get("messages"), list):
        return False
    if value.get("system") or "input_schema" in mapping(head(value.get("tools"))):
        return True
    return _are_messages(value["messages"]) or ("max_tokens" in value and _is_claude(value))


def _are_messages(messages: list[Any]) -> bool:
    first = mapping(head(messages))
    return "role" in first and "ts" not in first and any(map(_is_block, all_blocks(messages)))


def _is_block(block: Any) -> bool:
    """A block that only Anthropic has; of pictures and documents, those with a `source`."""
    return kind(block) in BLOCKS or (kind(block) in ("image", "document") and "source" in block)


def _is_claude(value: Mapping[str, Any]) -> bool:
    roles = {text(mapping(message).get("role")) for message in value["messages"]}
    return text(value.get("model")).startswith("claude") and roles <= {"user", "assistant"}


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(read, given))]


def read(given: Given) -> Draft:
    request = given.value if isinstance(given.value, Mapping) else {"messages": given.value}
    if "messages" not in request:
        request = {"messages": [request], "model": request.get("model")}
    messages = listed(request.get("messages"))
    draft = Draft(read=len(messages), records="messages")
    notes: list[str] = []
    if system := parts_of(request.get("system"), notes):
        draft.say({"role": "system", "content": content(system)}, "/system")
        draft.read += 1
    for index, message in enumerate(messages):
        place = given.place(index) if isinstance(given.value, list) else f"/messages/{index}"
        if isinstance(message, Mapping):
            say_message(draft, message, place)
        else:
            draft.skip("record that is no message")
    for tool in listed(request.get("tools")):
        chat_tool(tool, draft)
    if model := text(request.get("model")):
        draft.settings["model"] = model
    if rest := {name: value for name, value in request.items() if name not in OWN}:
        draft.extra["anthropic"] = rest
    if has(given.value, "stop_reason"):
        draft.warnings.append("an answer without its request: the messages before it are in another file.")
    if request.get("mcp_servers"):
        draft.warnings.append("/mcp_servers: their tools are not in the file: the true size is larger.")
    return draft


ANTHROPIC = Format("anthropic", "an Anthropic Messages request", fits, find)
