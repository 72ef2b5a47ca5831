"""Results and documents that give the model orders, with or without a guardrail."""

from __future__ import annotations

from collections.abc import Iterator

from ctxcore.findings.finding import Finding
from ctxcore.guarding import orders
from ctxcore.stages.guardrail import TOLD
from ctxcore.trace import Trace


def injection(trace: Trace) -> Iterator[Finding]:
    """Marks of prompt injection in what reached the payload."""
    held = {item.id: kinds for item in trace.final.items if item.source in TOLD and (kinds := orders.marks(item.text))}
    if held:
        marks = orders.told(kind for kinds in held.values() for kind in kinds)
        yield Finding(
            "find-injection", "warning", {"count": len(held), "marks": marks}, tuple(held), "find-remedy-injection"
        )
