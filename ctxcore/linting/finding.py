"""What lint says: the rules with their severity, and one finding. The sentences stand in ctxcore/words/lint.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.words import Phrase

# error: the provider refuses the request; warning: it may be read otherwise than meant; info: allowed, and worth a look
RULES = {
    "messages-malformed": "error",
    "messages-empty": "error",
    "message-malformed": "error",
    "role-unknown": "error",
    "field-malformed": "error",
    "content-malformed": "error",
    "content-empty": "error",
    "system-empty": "warning",
    "part-malformed": "error",
    "part-not-allowed": "error",
    "calls-malformed": "error",
    "call-malformed": "error",
    "call-name-invalid": "error",
    "call-id-invalid": "error",
    "call-id-twice": "error",
    "call-id-reused": "warning",
    "call-unanswered": "error",
    "arguments-not-json": "warning",
    "result-without-id": "error",
    "result-without-call": "error",
    "result-twice": "error",
    "result-displaced": "error",
    "result-behind-text": "error",
    "text-blank": "error",
    "ends-in-blanks": "error",
    "system-inside": "warning",
    "reasoning-alone": "error",
    "thinking-unsigned": "error",
    "too-many-cache-marks": "error",
    "same-role-twice": "info",
    "starts-with-assistant": "warning",
    "tools-malformed": "error",
    "too-many-tools": "error",
    "tool-malformed": "error",
    "tool-name-invalid": "error",
    "tool-name-twice": "error",
}


@dataclass(frozen=True, slots=True)
class Finding:
    rule: str
    severity: str  # error | warning | info
    provider: str
    message: Phrase
    where: str  # a JSON pointer: /messages/3/tool_calls/0
    facts: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "severity": self.severity,
            "provider": self.provider,
            "message": self.message,
            "where": self.where,
            "facts": dict(self.facts),
        }


def finding(rule: str, where: str, /, provider: str = "openai", severity: str = "", **facts: Any) -> Finding:
    """`severity` where it is not the rule's own: providers differ."""
    message = Phrase(f"lint-{rule}", **facts)
    return Finding(rule, severity or RULES[rule], provider, message, where, facts)
