"""OpenAI Responses: a request with `input`, a list of conversation items, or a response with its `output`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.responses_items import TYPES, Items, chat_tool
from ctxcore.importing.shapes import head, kind, listed, mapping, objects, part_types, text

PARTS = {"input_text", "output_text", "input_image", "input_file"}
OWN = ("input", "instructions", "tools", "data", "output")
HISTORY = ("previous_response_id", "conversation")


def fits(value: Any) -> bool:
    if isinstance(value, list):
        return _are_items(value)
    if not isinstance(value, Mapping) or {"messages", "history", "role"} & value.keys():
        return False
    if value.get("object") == "list":
        return bool(kind(head(value.get("data"))))
    asked = value.get("input")
    if isinstance(asked, list):
        return not asked or "role" in mapping(asked[0]) or _are_items(asked)
    return isinstance(asked, str) or value.get("object") == "response"


def _are_items(value: list[Any]) -> bool:
    return any(kind(item) in TYPES or ("role" in item and part_types(item) & PARTS) for item in objects(value))


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(read, given))]


def read(given: Given) -> Draft:
    data = given.value if isinstance(given.value, Mapping) else {"input": given.value}
    field = "data" if "data" in data else "input" if "input" in data else "output"
    asked = data.get(field)
    items = [{"role": "user", "content": asked}] if isinstance(asked, str) else listed(asked)
    draft = Draft(read=len(items), records="items")
    if instructions := text(data.get("instructions")):
        draft.say({"role": "system", "content": instructions}, "/instructions")
        draft.read += 1
    reader = Items(draft)
    for index, item in enumerate(items):
        reader.add(item, given.place(index) if isinstance(given.value, list) else f"/{field}/{index}")
    reader.done()
    _tools(draft, data)
    for name in HISTORY:
        if data.get(name):
            draft.warnings.append(f"/{name}: the messages before are not in the file; the true size is larger.")
    if field == "output":
        draft.warnings.append("an answer without its request: the messages before it are in another file.")
    if data.get("has_more") is True:
        draft.warnings.append("/has_more: the list goes on, and the rest of it is not in the file.")
    if model := text(data.get("model")):
        draft.settings["model"] = model
    if rest := {name: value for name, value in data.items() if name not in OWN}:
        draft.extra["openai-responses"] = rest
    return draft


def _tools(draft: Draft, data: Mapping[str, Any]) -> None:
    for index, definition in enumerate(listed(data.get("tools"))):
        if made := chat_tool(definition):
            draft.tools.append(made)
        else:
            draft.note("a tool of the provider, whose definition is not in the file: left out.", f"/tools/{index}")


OPENAI_RESPONSES = Format("openai-responses", "an OpenAI Responses request, or a list of its items", fits, find)
