"""One finding: the rule, how bad it is, the evidence, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ctxcore.decision import Facts
from ctxcore.words import sentence

SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Finding:
    """`items` and `step` are the evidence; `remedy` is a rule as well, made into a sentence from the same facts."""

    rule: str
    severity: str  # error | warning | info
    facts: Facts
    items: tuple[str, ...] = ()
    remedy: str = ""
    step: int | None = None  # of a run, or turn of a replay, from 1

    def says(self, lang: str = "en") -> str:
        return sentence(self.rule, self.facts, lang)

    def cure(self, lang: str = "en") -> str:
        return sentence(self.remedy, self.facts, lang) if self.remedy else ""

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        return {
            "rule": self.rule,
            "severity": self.severity,
            "facts": dict(self.facts),
            "items": list(self.items),
            "step": self.step,
            "message": self.says(lang),
            "remedy": self.remedy,
            "cure": self.cure(lang),
        }


def worst_first(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """By severity; equals in their order."""
    return tuple(sorted(found, key=lambda one: SEVERITIES.index(one.severity)))
