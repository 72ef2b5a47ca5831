"""GuardrailStage: personal data and secrets are found before the model sees them (article 2, §7).

It works on items, before assembly: what was found, and where, is in the ledger, its value never.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.item import Item, Source
from ctxcore.payload import Payload
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
            "about": "mask what is found, drop its item, or only report it",
        },
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        held: dict[str, dict[str, int]] = {}
        for item in payload.items:
            found = {kind: len(pattern.findall(item.text)) for kind, pattern in PATTERNS.items()}
            found = {kind: count for kind, count in found.items() if count}
            if not found or item.is_media or item.calls:
                continue
            held[item.id] = found
            facts = {"found": sum(found.values()), "kinds": ", ".join(found)}
            if self.action == "redact":
                edit.rewrite(item, _masked(item), "redacted", **facts)
            elif self.action == "block" and item.source is not Source.SYSTEM and item.id != payload.question:
                edit.drop(item, "blocked", **facts)
        if held:
            kinds = sorted({kind for found in held.values() for kind in found})
            total = sum(sum(found.values()) for found in held.values())
            edit.report("pii-found", "warning", held, found=total, kinds=", ".join(kinds), count=len(held))
        return edit.done()


def _masked(item: Item) -> str:
    text = item.text
    for kind, pattern in PATTERNS.items():
        text = pattern.sub(f"[{kind.upper()}]", text)
    return text
