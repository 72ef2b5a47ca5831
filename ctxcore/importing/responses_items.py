"""Items of OpenAI's Responses API as chat messages: reasoning, words and calls of one turn become one message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.importing.blocks import data_uri, image, parts_of
from ctxcore.importing.draft import Draft
from ctxcore.importing.shapes import kind, listed, mapping, text
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part, tool

CALLS = {"function_call", "custom_tool_call", "computer_call", "local_shell_call", "shell_call", "apply_patch_call"}
OUTPUTS = {f"{name}_output" for name in CALLS}
HOSTED = {"mcp_call", "code_interpreter_call", "file_search_call", "web_search_call", "image_generation_call"}
OPAQUE = {"reasoning", "compaction"}
HIDDEN = {"item_reference", "mcp_approval_request", "mcp_approval_response"}
TYPES = CALLS | OUTPUTS | HOSTED | OPAQUE | HIDDEN | {"mcp_list_tools", "tool_search_call", "additional_tools"}
NOT_COUNTED = "reasoning or compaction that only the provider reads: kept with its message, of unknown size in tokens."


class Items:
    """Adds items, one after the other. `open` is the assistant's message that further calls join."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.open: Message | None = None
        self.thinking: list[Any] = []

    def add(self, item: Any, place: str) -> None:
        item = mapping(item)
        what = kind(item) or ("message" if "role" in item else "")
        if what == "message":
            self._message(item, place)
        elif what in OPAQUE:
            self.thinking.append(item)
            self.draft.note(NOT_COUNTED, place)
        elif what in CALLS:
            self._calls([_called(item, what)], place)
        elif what in OUTPUTS:
            self._output(item, place)
        elif what in HOSTED:
            self._hosted(item, what, place)
        elif what in ("mcp_list_tools", "additional_tools"):
            self._tools(item, place)
        elif what in HIDDEN:
            self.draft.note(f"{what}: what it stands for is not in the file; the true size is larger.", place)
            self.draft.skip(what)
        else:
            self.draft.skip(f"item of type {what or 'unknown'}")

    def done(self) -> None:
        """Reasoning after the last message belongs to what the file does not show; it stays with that message."""
        if self.thinking and self.draft.messages:
            self.draft.messages[-1].setdefault("thinking_blocks", []).extend(self.thinking)
            self.thinking = []

    def _message(self, item: Mapping[str, Any], place: str) -> None:
        notes: list[str] = []
        parts = parts_of(item.get("content"), notes)
        role = text(item.get("role"))
        for note in notes:
            self.draft.note(note, place)
        if role != "assistant":
            self.open = None
            message = {"role": role or "user", "content": content(parts) if parts else ""}
            if self.thinking:
                message["thinking_blocks"], self.thinking = self.thinking, []
            self.draft.say(message, place)
        elif self.open is not None and self.open.get("tool_calls"):
            said = self.open.get("content")
            before = [text_part(said)] if isinstance(said, str) else listed(said)
            self.open["content"] = content([*before, *parts])
            self.draft.note("words behind a call: they stand before it now.", place)
        else:
            self.open = self._say(parts, (), place)

    def _calls(self, calls: list[Message], place: str) -> None:
        if self.open is None:
            self.open = self._say([], calls, place)
        else:
            self.open.setdefault("tool_calls", []).extend(calls)
            if self.thinking:
                self.open.setdefault("thinking_blocks", []).extend(self.thinking)
                self.thinking = []

    def _say(self, parts: list[Message], calls: Any, place: str) -> Message:
        message = self.draft.say(assistant(parts, calls, self.thinking), place)
        message["content"] = "" if not parts and not calls else message["content"]
        self.thinking = []
        return message

    def _output(self, item: Mapping[str, Any], place: str) -> None:
        notes: list[str] = []
        output = item.get("output")
        self.draft.say(result(item.get("call_id"), parts_of(output, notes)), place)
        for note in notes:
            self.draft.note(note, place)
        self.open = None

    def _hosted(self, item: Mapping[str, Any], what: str, place: str) -> None:
        """A call that the provider ran itself: call and result in one item."""
        key = text(item.get("id")) or place
        name = text(item.get("name")) or what.removesuffix("_call")
        given = item.get("arguments") or item.get("code") or item.get("action") or item.get("queries")
        self.open = None
        self._calls([call(key, name, given or {})], place)
        output = item.get("output") or item.get("outputs") or item.get("results") or item.get("error")
        if what == "image_generation_call" and item.get("result"):
            parts = [image(data_uri(item["result"], "image/png"))]
        elif output is None:
            parts = []
            self.draft.note(f"{what}: its result is not in the file; the true size is larger.", place)
        else:
            parts = [text_part(compact(output))]
        self.draft.say(result(key, parts, name), place)
        self.open = None

    def _tools(self, item: Mapping[str, Any], place: str) -> None:
        """Definitions that stand among the items."""
        for one in listed(item.get("tools")):
            self.draft.tools.append(chat_tool(one) or tool(mapping(one).get("name")))
        self.draft.note("tool definitions among the items, read as tools.", place)


def chat_tool(definition: Any) -> Message | None:
    """A flat definition in the shape of chat requests; None for a tool that the provider runs."""
    given = mapping(definition)
    if isinstance(given.get("function"), Mapping):
        return dict(given)
    schema = given.get("parameters") or given.get("input_schema") or given.get("inputSchema")
    if kind(given) == "custom":
        inner = {key: value for key, value in given.items() if key != "type"}
        return {"type": "custom", "custom": inner}
    if not text(given.get("name")) or (kind(given) not in ("", "function") and schema is None):
        return None
    strict = {"strict": given["strict"]} if isinstance(given.get("strict"), bool) else {}
    return tool(given["name"], given.get("description"), schema, **strict)


def _called(item: Mapping[str, Any], what: str) -> Message:
    key = item.get("call_id") or item.get("id")
    if what == "custom_tool_call":
        custom = {"name": text(item.get("name")), "input": compact(item.get("input") or "")}
        return {"id": compact(key or ""), "type": "custom", "custom": custom}
    given = item.get("arguments") if "arguments" in item else item.get("action") or item.get("operation")
    return call(key, item.get("name") or what.removesuffix("_call"), given)
