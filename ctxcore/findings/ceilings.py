"""A finding about limits: something was dropped under one, while the room that is left would hold it."""

from __future__ import annotations

from collections.abc import Iterator

from ctxcore.decision import Action
from ctxcore.findings.finding import Finding
from ctxcore.item import Item
from ctxcore.trace import Trace

CAPPED = ("cap", "group-cap")  # rules by which a limit keeps an item out


def ceilings(trace: Trace) -> Iterator[Finding]:
    """A warning where the empty room would hold all that the limit kept out, else news: limits are meant to bind."""
    free = trace.budget.room - trace.totals.total
    left = {item.id for item in trace.final.items}
    for limit, lost in _lost(trace).items():
        gone = [item for item in lost if item.id not in left]
        tokens = sum(item.tokens + item.frame for item in gone)
        if not gone or min(item.tokens + item.frame for item in gone) > free:
            continue
        cap = trace.budget.cap(limit)
        facts = {"limit": limit, "cap": cap, "count": len(gone), "tokens": tokens, "free": free}
        severity = "warning" if tokens <= free else "info"
        to = {"to": cap + min(free, tokens)}
        yield Finding("find-ceiling", severity, {**facts, **to}, tuple(item.id for item in gone), "find-remedy-ceiling")


def _lost(trace: Trace) -> dict[str, list[Item]]:
    """Limit → items that it kept out, as they were."""
    found: dict[str, list[Item]] = {}
    for snapshot in trace.snapshots:
        told = {
            d.item: str(d.facts["limit"])
            for d in snapshot.decisions
            if d.action is Action.DROPPED and d.rule in CAPPED and d.facts.get("limit") in trace.budget.caps()
        }
        if told:
            for item in snapshot.before.items:
                if item.id in told:
                    found.setdefault(told[item.id], []).append(item)
    return found
