"""One conversation, an object or a list of messages, to a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing import scenario_file
from ctxcore.importing.conversations import LIST_NAMES, has_role, messages_of
from ctxcore.importing.formats import SUPPORTED
from ctxcore.importing.plain import kind_of
from ctxcore.importing.wire import Kept, kept_messages, pointer
from ctxcore.scenario import Scenario
from ctxcore.words import Phrase

LONGEST_NAME = 40  # characters of a field's name in an error
REQUEST_NAMES = ("model", "tools", "functions", "tool_choice", "response_format", "choices")


def built(value: Any, name: str, places: Sequence[str] = ()) -> Scenario:
    """`places` name the messages of a list in warnings."""
    if scenario_file.is_scenario(value):
        scenario = scenario_file.read(value)
        return scenario if scenario.name else scenario.edited(name=name)
    if isinstance(value, list) or has_role(value):
        return _from_list(value if isinstance(value, list) else [value], name, places)
    if isinstance(value, Mapping):
        return _from_object(value, name)
    raise InputError("holds-kind", kind=kind_of(value), supported=SUPPORTED)


def _from_list(messages: Sequence[Any], name: str, places: Sequence[str]) -> Scenario:
    kept = kept_messages(messages, where=places.__getitem__ if places else pointer)
    _check_any(kept, messages)
    return Scenario.from_messages(kept.messages, is_kept=True, name=name, warnings=kept.warnings)


def _from_object(data: Mapping[str, Any], name: str) -> Scenario:
    messages, answer, warnings = messages_of(data), _answer(data), list[str]()
    if messages is None and answer:
        messages, answer = [answer], None
        data = {**data, "messages": messages}
        warnings.append("an answer without its request: the messages before it are in another file.")
    if messages is None:
        raise _no_list(data)
    used = next(field for field in LIST_NAMES if data.get(field) is messages)
    if answer:
        messages = [*messages, answer]
        warnings.append("/choices/0/message: the answer, read as the last message.")
    kept = kept_messages(messages, where=lambda index: f"/{used}/{index}", field=used)
    _check_any(kept, messages)
    is_request = used == "messages" and any(field in data for field in REQUEST_NAMES)
    model = data.get("model")
    return Scenario.from_messages(
        kept.messages,
        is_kept=True,
        tools=_tools(data, warnings),
        name=name,
        format="openai-chat" if is_request else "messages",
        settings={"model": model} if isinstance(model, str) and model else {},
        warnings=(*warnings, *kept.warnings),
        extra=_extra({field: value for field, value in data.items() if field not in (used, "tools")}),
    )


def _no_list(data: Mapping[str, Any]) -> InputError:
    fields = list(map(_short, list(data)[:8])) or Phrase("no-fields")
    if name := next((field for field in LIST_NAMES if field in data), ""):
        kind = kind_of(data[name])
        return InputError("object-list-kind", fields=fields, name=name, kind=kind, supported=SUPPORTED)
    return InputError("object-no-list", fields=fields, supported=SUPPORTED)


def _check_any(kept: Kept, messages: Sequence[Any]) -> None:
    if kept.messages:
        return
    if not messages:
        raise InputError("messages-empty")
    first = messages[0]
    fields = Phrase("first-fields", fields=list(first)[:8]) if isinstance(first, Mapping) and first else ""
    raise InputError(
        "no-record-message", count=len(messages), fields=fields, first=kept.warnings[0], supported=SUPPORTED
    )


def _answer(data: Mapping[str, Any]) -> Any:
    """The message in which a log keeps what the model answered."""
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return message if has_role(message) else None


def _tools(data: Mapping[str, Any], warnings: list[str]) -> list[Any]:
    """The tool definitions; the older `functions` are told in today's shape."""
    tools, functions = data.get("tools"), data.get("functions")
    if isinstance(tools, list):
        return tools
    if tools is not None:
        warnings.append(f"/tools: left out, it is {kind_of(tools)} and no list.")
    if not isinstance(functions, list) or not functions:
        return []
    warnings.append("/functions: the older field, read as tools.")
    return [{"type": "function", "function": function} for function in functions]


def _extra(rest: Mapping[str, Any]) -> dict[str, Any]:
    """Top-level fields to keep; those that a scenario file uses for something else stand under `imported`."""
    clashing = {field: value for field, value in rest.items() if field in scenario_file.FIELDS}
    others = {field: value for field, value in rest.items() if field not in scenario_file.FIELDS}
    return {**others, "imported": clashing} if clashing else others


def _short(name: object) -> str:
    text = str(name)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"
