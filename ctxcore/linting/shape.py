"""The shape of single messages, as OpenAI's chat API takes them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import UnionType
from typing import Any

from ctxcore.importing.plain import kind_of
from ctxcore.linting.finding import Finding, finding
from ctxcore.linting.parts import check_part
from ctxcore.words import Phrase

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
OPTIONAL: dict[str, tuple[type | UnionType, Phrase]] = {"name": (str, Phrase("wanted-text"))}
OF_ASSISTANT: dict[str, tuple[type | UnionType, Phrase]] = {
    "refusal": (str | None, Phrase("wanted-text-or-null")),
    "audio": (Mapping | None, Phrase("wanted-object-or-null")),
    "function_call": (Mapping | None, Phrase("wanted-object-or-null")),
}


def check_message(message: Any, where: str, provider: str = "openai") -> Iterator[Finding]:
    """For `provider`, to whom the findings go; the shape is OpenAI's."""
    for found in _check(message, where):
        yield found if provider == "openai" else replace(found, provider=provider)


def _check(message: Any, where: str) -> Iterator[Finding]:
    if not isinstance(message, Mapping):
        yield finding("message-malformed", where, found=kind_of(message))
        return
    role = message.get("role")
    if not isinstance(role, str) or role not in ROLES:
        shown = role if isinstance(role, str) else kind_of(role) if "role" in message else Phrase("found-missing")
        yield finding("role-unknown", f"{where}/role", role=shown, known=", ".join(ROLES))
        return
    yield from _check_fields(message, OPTIONAL | (OF_ASSISTANT if role == "assistant" else {}), where)
    yield from _check_content(message, role, where)
    if role == "assistant":
        yield from _check_calls(message, where)


def _check_fields(
    message: Mapping[str, Any], fields: Mapping[str, tuple[type | UnionType, Phrase]], where: str
) -> Iterator[Finding]:
    for name, (allowed, wanted) in fields.items():
        if name in message and not isinstance(message[name], allowed):
            yield finding("field-malformed", f"{where}/{name}", field=name, found=kind_of(message[name]), wanted=wanted)
    if isinstance(audio := message.get("audio"), Mapping) and not isinstance(audio.get("id"), str):
        found, wanted = Phrase("found-no-id"), Phrase("wanted-object-id")
        yield finding("field-malformed", f"{where}/audio", field="audio", found=found, wanted=wanted)


def _check_content(message: Mapping[str, Any], role: str, where: str) -> Iterator[Finding]:
    content = message.get("content")
    takes_parts = role != "function"
    is_list = isinstance(content, list | tuple) and takes_parts
    if content is not None and not isinstance(content, str) and not is_list:
        wanted = Phrase("wanted-content") if takes_parts else Phrase("wanted-plain")
        yield finding("content-malformed", f"{where}/content", found=kind_of(content), role=role, wanted=wanted)
        return
    if is_list:
        for index, part in enumerate(content or ()):
            yield from check_part(part, role, f"{where}/content/{index}")
    yield from _check_empty(message, role, where)


def _check_empty(message: Mapping[str, Any], role: str, where: str) -> Iterator[Finding]:
    content = message.get("content")
    if role == "assistant":
        others = ("tool_calls", "function_call", "refusal", "audio")
        is_refused = not content and not any(message.get(name) for name in others)
    elif role == "user":
        is_refused = not content or (isinstance(content, list | tuple) and all(_is_empty(part) for part in content))
    else:
        is_refused = content is None or (not content and not isinstance(content, str))
    if is_refused:
        yield finding("content-empty", where, role=role)
    elif role in ("system", "developer") and content == "":
        yield finding("system-empty", where, role=role)


def _is_empty(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "text" and part.get("text") == ""


def _check_calls(message: Mapping[str, Any], where: str) -> Iterator[Finding]:
    calls = message.get("tool_calls")
    if "tool_calls" in message and (not isinstance(calls, list | tuple) or not calls):
        found = Phrase("kind-empty-list") if isinstance(calls, list | tuple) else kind_of(calls)
        yield finding("calls-malformed", f"{where}/tool_calls", found=found)
    elif calls:
        for index, call in enumerate(calls):
            yield from _check_call(call, f"{where}/tool_calls/{index}")
    if isinstance(legacy := message.get("function_call"), Mapping):
        yield from _check_function(legacy, f"{where}/function_call")


def _check_call(call: Any, where: str) -> Iterator[Finding]:
    kind = call.get("type") if isinstance(call, Mapping) else None
    if kind not in ("function", "custom"):
        yield finding("call-malformed", where, missing=Phrase("missing-type"))
        return
    if not isinstance(call.get("id"), str) or not call["id"]:
        yield finding("call-malformed", where, missing=Phrase("missing-name", name="id"))
    if not isinstance(inner := call.get(kind), Mapping):
        yield finding("call-malformed", where, missing=Phrase("missing-name", name=kind))
    else:
        yield from _check_function(inner, where, "arguments" if kind == "function" else "input")


def _check_function(function: Mapping[str, Any], where: str, field: str = "arguments") -> Iterator[Finding]:
    name, arguments = function.get("name"), function.get(field)
    if not isinstance(name, str) or not name:
        yield finding("call-malformed", where, missing=Phrase("missing-name", name="name"))
    elif not NAME.fullmatch(name):
        yield finding("call-name-invalid", where, name=name, wanted=NAME.pattern)
    if not isinstance(arguments, str):
        yield finding("call-malformed", where, missing=Phrase("missing-text", name=field))
    elif field == "arguments" and (problem := _json_problem(arguments)):
        yield finding("arguments-not-json", where, name=name if isinstance(name, str) else "?", problem=problem)


def _json_problem(text: str) -> str:
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:  # not JSON; or numbers or nesting that no reader takes
        return str(error)
    return ""
