"""GuardrailStage: personal data and secrets are found before the model sees them (article 2, §7).

It works on items, before assembly: what was found, and where, is in the ledger, its value never.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from ctxcore.groups import groups_of, is_fixed
from ctxcore.item import Item, Text
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services

# Digits that belong to a longer number are no phone; CJK letters count as word characters without re.ASCII. The name in
# an address has at most 64 characters (RFC 5321); without that bound, a long text without an @ takes quadratic time.
PATTERNS = {
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]+\.[\w.-]*\w", re.ASCII),
    "phone": re.compile(r"(?<!\d)(?:1[3-9]\d{9}|\+\d{1,3}[ -]?\d{2,4}[ -]?\d{3,4}[ -]?\d{3,4})(?!\d)", re.ASCII),
    "identity": re.compile(
        r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?![\dXx])", re.ASCII
    ),
    "key": re.compile(r"\b(?:sk|pk|ghp|gho|xoxb|AKIA)[-_]?[A-Za-z0-9_-]{16,}", re.ASCII),
}


@dataclass(frozen=True)
class GuardrailStage:
    name: ClassVar[str] = "guardrail"
    enabled: bool = field(default=False, metadata={"about": "run this stage"})
    action: str = field(
        default="redact",
        metadata={
            "choices": ("redact", "block", "warn"),
            "about": "mask what is found, drop its item with its group, or only report it",
        },
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        held: dict[str, dict[str, int]] = {}
        for group in groups_of(payload.items):
            found = {item.id: kinds for item in group.items if (kinds := _found(item))}
            if not found:
                continue
            held |= found
            if self.action == "redact":
                for item in group.items:
                    if item.id in found:
                        _mask(edit, item, _facts(found[item.id]))
            elif self.action == "block" and not is_fixed(group, payload.question):
                edit.drop(group.items, "blocked", **_facts(*found.values()))
        if held:
            edit.report("pii-found", "warning", held, **_facts(*held.values()), count=len(held))
        return edit.done()


def _found(item: Item) -> dict[str, int]:
    """Kind → how often it is there."""
    if item.is_media:
        return {}
    text = item.text
    counts = {kind: len(pattern.findall(text)) for kind, pattern in PATTERNS.items()}
    return {kind: count for kind, count in counts.items() if count}


def _facts(*found: Mapping[str, int]) -> dict[str, Any]:
    return {
        "found": sum(sum(kinds.values()) for kinds in found),
        "kinds": ", ".join(sorted({kind for kinds in found for kind in kinds})),
    }


def _mask(edit: Editor, item: Item, facts: Mapping[str, Any]) -> None:
    if not item.calls:
        edit.rewrite(item, _masked(item.text), "redacted", **facts)
        return
    said = "\n".join(_masked(part.text) for part in item.parts if isinstance(part, Text))
    calls = tuple(replace(call, arguments=_masked_arguments(call.arguments)) for call in item.calls)
    count = edit.payload.counter.count
    tokens = count(said) + sum(count(call.name) + count(call.arguments) for call in calls)
    edit.reshape(item, (*((Text(said),) if said else ()), *calls), tokens, "redacted", **facts)


def _masked(text: str) -> str:
    for kind, pattern in PATTERNS.items():
        text = pattern.sub(f"[{kind.upper()}]", text)
    return text


def _masked_arguments(arguments: str) -> str:
    """JSON stays JSON: a number that is masked becomes a text."""
    try:
        return json.dumps(_masked_value(json.loads(arguments)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return _masked(arguments)


def _masked_value(value: Any) -> Any:
    match value:
        case str():
            return _masked(value)
        case dict():
            return {_masked(key): _masked_value(one) for key, one in value.items()}
        case list():
            return [_masked_value(one) for one in value]
        case int() | float() if _masked(str(value)) != str(value):
            return _masked(str(value))
    return value
