"""A trace as JSON, in the schema `ctxcore.trace/1`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.auditing.audit import audit
from ctxcore.auditing.of_decision import SHORTENS, texts_of
from ctxcore.decision import Decision, Problem
from ctxcore.item import Item
from ctxcore.running import Snapshot
from ctxcore.trace import Trace
from ctxcore.words import sentence

SCHEMA = "ctxcore.trace/1"


def trace_json(trace: Trace, lang: str = "en") -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "system": trace.system.name,
        "variant": trace.settings.variant,
        "model": trace.model_name,
        "tokenizer": {"name": trace.counter.name, "exactness": trace.counter.exactness},
        "budget": _budget(trace),
        "input": {
            "format": trace.scenario.format,
            "items": len(trace.inputs),
            "tokens": sum(item.tokens for item in trace.inputs),
            "warnings": list(trace.scenario.warnings),
        },
        "stages": [_stage(trace, snapshot, lang, veil) for snapshot, veil in veiled(trace)],
        "messages": trace.messages,
        "tools": trace.tools,
        **({"response_format": copy.deepcopy(dict(form))} if (form := trace.scenario.response_format) else {}),
        "map": [
            {"message": at, "start": start, "end": end, "items": list(items)}
            for at, (start, end, items) in enumerate(trace.map)
        ],
        "spans": [
            {"item": span.item, "message": span.message, "start": span.start, "end": span.end} for span in trace.spans
        ],
        "tokens": {name: getattr(trace.totals, name) for name in ("messages", "overhead", "tools", "images", "total")},
        "fits": trace.fits,
        "floor": trace.floor,
    }


def _budget(trace: Trace) -> dict[str, Any]:
    budget = trace.budget
    limits = [
        {"name": x.name, "cap": x.cap, "share": x.share, "used": x.used, "sources": list(x.sources), "typed": x.typed}
        for x in trace.limits
    ]
    return {
        "window": budget.window,
        "reserve": budget.reserve,
        "room": budget.room,
        "fixed": budget.fixed,
        "limits": limits,
    }


@dataclass(frozen=True)
class Veil:
    """What hides the values that a snapshot still holds."""

    item: Callable[[Item], Item] = lambda item: item
    text: Callable[[str], str] = lambda text: text


def veiled(trace: Trace) -> Iterator[tuple[Snapshot, Veil]]:
    """Behind the guardrail the texts hold placeholders themselves."""
    ran = any(snapshot.name == "guardrail" and not snapshot.skipped for snapshot in trace.snapshots)
    shield = trace.shield if ran else None
    veil = Veil(shield.item, shield.text) if shield else Veil()
    for snapshot in trace.snapshots:
        if shield and snapshot.name == "guardrail":
            veil = Veil(shield.title)
        yield snapshot, veil


def _stage(trace: Trace, snapshot: Snapshot, lang: str, veil: Veil) -> dict[str, Any]:
    return {
        "name": snapshot.name,
        "seconds": round(snapshot.seconds, 6),
        "skipped": snapshot.skipped,
        "tokens_before": snapshot.tokens_before,
        "tokens_after": snapshot.tokens_after,
        "items": [item_json(veil.item(item)) for item in snapshot.items],
        "decisions": [
            decision_json(decision, lang) | _fidelity(snapshot, decision, veil) for decision in snapshot.decisions
        ],
        "problems": [problem_json(problem, lang) for problem in trace.problems_of(snapshot)],
    }


def _fidelity(snapshot: Snapshot, decision: Decision, veil: Veil) -> dict[str, Any]:
    if decision.action not in SHORTENS:
        return {}
    return {"fidelity": audit(*map(veil.text, texts_of(snapshot, decision))).to_json()}


def item_json(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "source": str(item.source),
        "role": item.role,
        "tokens": item.tokens,
        "text": item.text,
        "pinned": item.pinned,
        "priority": item.priority,
        "relevance": item.relevance,
        "parents": list(item.parents),
        "group": item.group,
        "message": item.message or None,
        "limit": item.limit or None,
        "name": item.name or None,
    }


def decision_json(decision: Decision, lang: str) -> dict[str, Any]:
    return {
        "action": str(decision.action),
        "item": decision.item,
        "rule": decision.rule,
        "facts": dict(decision.facts),
        "reason": sentence(decision.rule, decision.facts, lang),
        "before": decision.before,
        "after": decision.after,
        "sources": list(decision.sources),
    }


def problem_json(problem: Problem, lang: str) -> dict[str, Any]:
    facts: Mapping[str, Any] = problem.facts
    return {
        "rule": problem.rule,
        "facts": dict(facts),
        "severity": problem.severity,
        "message": sentence(problem.rule, facts, lang),
        "items": list(problem.items),
    }
