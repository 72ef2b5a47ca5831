"""Short forms of a scenario, spelled out: a leading `system` text, and the fields of the GSSC article's call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.plain import KINDS, kind_of
from ctxcore.words import Phrase

ARTICLE = ("system_prompt", "user_message", "conversation_history", "retrieved_docs", "task_state", "agent_notes")
RENAMED = {"retrieved_docs": "documents", "task_state": "state", "agent_notes": "notes"}


def spelled_out(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same scenario with `messages`, `documents`, `state` and `notes` only."""
    full = dict(data)
    leading = [_message("system", full.pop(name), name) for name in ("system", "system_prompt") if full.get(name)]
    history = full.pop("conversation_history", None) or []
    if not isinstance(history, list | tuple):
        raise InputError(
            "field-kind", where="conversation_history", kind=kind_of(history), wanted=Phrase("wanted-messages")
        )
    question = [_message("user", full.pop("user_message"), "user_message")] if full.get("user_message") else []
    if leading or history or question:
        messages = full.get("messages") or []
        if not isinstance(messages, list | tuple):
            raise InputError("field-kind", where="messages", kind=kind_of(messages), wanted=Phrase("wanted-messages"))
        full["messages"] = [*leading, *messages, *history, *question]
        if ids := full.get("ids"):
            full["ids"] = [*("" for _ in leading), *ids, *("" for _ in (*history, *question))]
    for short, name in RENAMED.items():
        if (value := full.pop(short, None)) is not None:
            full[name] = _joined(full.get(name), value, short, name)
    return full


def _message(role: str, text: Any, field: str) -> dict[str, str]:
    if not isinstance(text, str):
        raise InputError("field-must", where=field, kind=kind_of(text), wanted=KINDS[str])
    return {"role": role, "content": text}


def _joined(there: Any, more: Any, short: str, name: str) -> Any:
    """Both lists; the state can be given once only."""
    if there is None:
        return more
    if name == "state":
        raise InputError("both-given", short=short, name=name)
    first, second = (value if isinstance(value, list | tuple) else [value] for value in (there, more))
    return [*first, *second]
