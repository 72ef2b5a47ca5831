"""One message made acceptable: what its provider does not take is left out, or written as text. Nothing is invented."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ctxcore.linting.finding import Finding
from ctxcore.linting.parts import check_part
from ctxcore.linting.policies import POLICIES
from ctxcore.linting.shape import ROLES, check_message
from ctxcore.wire.blocks import mapping
from ctxcore.wire.chat import RESULTS

_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "bot": "assistant", "gpt": "assistant"}
_BAD = re.compile(r"[^a-zA-Z0-9_-]+")


def mended(message: Mapping[str, Any], provider: str) -> dict[str, Any]:
    """The same message where there is nothing to mend; it may come out empty. OpenAI's chat shape in and out."""
    out = dict(message)
    role = out.get("role")
    if role not in ROLES:
        out["role"] = _ROLES.get(str(role).lower(), "user")
    for found in _errors(out, "field-malformed"):
        out.pop(found.where.rsplit("/", 1)[-1], None)
    _mend_content(out, provider)
    if out["role"] == "assistant":
        _mend_calls(out, provider)
    return out


def is_empty(message: Mapping[str, Any]) -> bool:
    """Whether a provider refuses it for saying nothing."""
    return any(_errors(message, "content-empty"))


def _errors(message: Mapping[str, Any], rule: str) -> list[Finding]:
    return [found for found in check_message(message, "") if found.rule == rule]


def _mend_content(out: dict[str, Any], provider: str) -> None:
    content, is_blank = out.get("content"), bool(POLICIES[provider].blank)
    if isinstance(content, str):
        if is_blank and content and not content.strip():
            out["content"] = ""
    elif isinstance(content, list | tuple) and out["role"] != "function":
        parts = [_part(part, out["role"]) for part in content]
        blank = [isinstance(part.get("text"), str) and is_blank and not part["text"].strip() for part in parts]
        left = [part for part, is_void in zip(parts, blank, strict=True) if not is_void]
        if left != list(content):
            out["content"] = left
    elif content is not None:
        out["content"] = json.dumps(content, ensure_ascii=False, default=str)
    if out["role"] in RESULTS and not out.get("content"):
        out["content"] = ""  # a tool may have nothing to say


def _part(part: Any, role: str) -> Mapping[str, Any]:
    """The part, or what can be read of it as text."""
    if not any(check_part(part, role, "")):
        return part  # type: ignore[no-any-return]
    words = next((one for one in mapping(part).values() if isinstance(one, str) and one != part.get("type")), "")
    return {"type": "text", "text": words or f"[{mapping(part).get('type') or 'part'} that cannot be sent]"}


def _mend_calls(out: dict[str, Any], provider: str) -> None:
    if "tool_calls" in out:
        seen: set[str] = set()
        given = out["tool_calls"] if isinstance(out["tool_calls"], list | tuple) else ()
        calls = [call for one in given for call in _call(one, provider, seen)]
        if calls:
            out["tool_calls"] = calls
        else:
            del out["tool_calls"]
    if not mapping(out.get("function_call")).get("name"):
        out.pop("function_call", None)


def _call(call: Any, provider: str, seen: set[str]) -> Iterator[Mapping[str, Any]]:
    """The call, mended; nothing where it has no id, no name, or an id that stands there already."""
    kind = "custom" if mapping(call).get("type") == "custom" else "function"
    body, key = mapping(mapping(call).get(kind)), mapping(call).get("id")
    name, field = body.get("name"), "input" if kind == "custom" else "arguments"
    if not isinstance(key, str) or not key or key in seen:
        return
    if not isinstance(name, str) or not _BAD.sub("_", name):
        return
    seen.add(key)
    pattern, given = POLICIES[provider].tool_name, body.get(field)
    named = name if pattern and pattern.fullmatch(name) else _BAD.sub("_", name)[:64]
    text = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False, default=str)
    if POLICIES[provider].arguments == "error":  # which also knows no tools that take a text
        rest = {key: value for key, value in call.items() if key != kind}
        new = {**rest, "type": "function", "function": {"name": named, "arguments": _object(text)}}
        same = (
            call.get("type") == "function"
            and body.get("name") == named
            and body.get(field) == new["function"]["arguments"]
        )
        yield call if same else new
        return
    new = {**call, "type": kind, kind: {**body, "name": named, field: text}}
    yield call if new == call else new


def _object(text: str) -> str:
    """Arguments as the JSON object that this provider wants."""
    try:
        if isinstance(json.loads(text), Mapping):
            return text
    except (ValueError, RecursionError):
        pass
    return json.dumps({"arguments": text} if text.strip() else {}, ensure_ascii=False)
