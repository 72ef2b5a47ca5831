"""Chat messages as they come in: copied, checked, and bad ones left out with a warning.

What every later stage may rely on: a message is a dict with a `role`; its `content` is text, None, missing, or a list
of dicts in which every text part has text; `tool_calls` is None, missing, or a list of dicts, each with a `function`
that has a name and arguments as text, or a `custom`. All else stands as it came, unknown fields included.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.calls import fix_calls, fix_result_id
from ctxcore.importing.plain import Copier, kind_of
from ctxcore.words import Phrase

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    messages: tuple[Mapping[str, Any], ...]
    places: tuple[int, ...]  # of each kept message in the list that came in
    warnings: tuple[str, ...]


def pointer(index: int) -> str:
    return f"/messages/{index}"


def kept_messages(
    messages: Any, *, where: Callable[[int], str] = pointer, known: Iterable[int] = (), field: str = "messages"
) -> Kept:
    """`where` names a place for warnings; `known` are the `id()`s of messages that were checked and copied before."""
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        wanted = Phrase("wanted-messages-such", such='{"role": "user", "content": "…"}')
        raise InputError("field-must", where=field, kind=kind_of(messages), wanted=wanted)
    copier, warnings = Copier(), list[str]()
    kept, places, unused = list[Mapping[str, Any]](), list[int](), set(known)
    for index, message in enumerate(messages):
        if id(message) in unused:
            unused.discard(id(message))  # the second time, it becomes a copy: each message is an object of its own
            checked: Mapping[str, Any] | None = message
        else:
            checked = _checked(copier, message, where(index), warnings)
        if checked is not None:
            kept.append(checked)
            places.append(index)
    if len(kept) < len(messages):
        lost = len(messages) - len(kept)
        warnings.append(f"{field}: {len(messages)} read, {len(kept)} kept, {lost} skipped.")
    return Kept(tuple(kept), tuple(places), tuple(warnings))


def kept_tools(tools: Any, copier: Copier) -> tuple[tuple[Mapping[str, Any], ...], list[str]]:
    """Copies of the tool definitions, and a warning for each that cannot be one."""
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Sequence):
        raise InputError("field-kind", where="tools", kind=kind_of(tools), wanted=Phrase("wanted-tools"))
    copies = [copier.copy(tool) for tool in tools]
    kept = tuple(tool for tool in copies if isinstance(tool, dict))
    bad = [at for at, tool in enumerate(copies) if not isinstance(tool, dict)]
    return kept, [f"/tools/{at}: skipped, it is {kind_of(copies[at])} and no definition." for at in bad]


def _checked(copier: Copier, raw: Any, where: str, warnings: list[str]) -> Message | None:
    message = copier.copy(raw)
    warnings += copier.take(where)
    if not isinstance(message, dict):
        warnings.append(f"{where}: skipped, it is {kind_of(message)} and no message.")
        return None
    role = message.get("role")
    if not isinstance(role, str) or not role:
        found = "it has no role" if role is None else f"its role is {kind_of(role)}"
        warnings.append(f"{where}: skipped, {found}.")
        return None
    notes = [*_fix_content(message), *fix_calls(message), *fix_result_id(message)]
    warnings += [f"{where}{note}" for note in notes]
    return message


def _fix_content(message: Message) -> list[str]:
    content = message.get("content")
    if content is None or isinstance(content, str):
        return []
    if not isinstance(content, list):
        message["content"] = json.dumps(content, ensure_ascii=False)
        return [f"/content: {kind_of(content)}, read as its JSON text."]
    notes: list[str] = []
    for index, part in enumerate(content):
        fixed, note = _fixed_part(part)
        if note:
            content[index] = fixed
            notes.append(f"/content/{index}: {note}")
    return notes


def _fixed_part(part: Any) -> tuple[Any, str]:
    """The part, and what was changed in it; "" where nothing was."""
    if isinstance(part, str):
        return {"type": "text", "text": part}, "a bare text, read as a text part."
    if not isinstance(part, dict):
        return {"type": "text", "text": json.dumps(part)}, f"{kind_of(part)}, read as a text part."
    if part.get("type") == "text" and not isinstance(text := part.get("text"), str):
        shown = "" if text is None else json.dumps(text, ensure_ascii=False)
        return {**part, "text": shown}, f"a text part whose text is {kind_of(text)}, read as {len(shown)} characters."
    if part.get("type") == "image_url" and isinstance(url := part.get("image_url"), str):
        return {**part, "image_url": {"url": url}}, "image_url is a bare text, read as its url."
    return part, ""
