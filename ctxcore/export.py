"""A trace as JSON, in the schema `ctxcore.trace/1`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.auditing.of_decision import audit_of
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
        "stages": [_stage(trace, snapshot, lang) for snapshot in trace.snapshots],
        "messages": trace.messages,
        "tools": trace.tools,
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


def _stage(trace: Trace, snapshot: Snapshot, lang: str) -> dict[str, Any]:
    return {
        "name": snapshot.name,
        "seconds": round(snapshot.seconds, 6),
        "skipped": snapshot.skipped,
        "tokens_before": snapshot.tokens_before,
        "tokens_after": snapshot.tokens_after,
        "items": [item_json(item) for item in snapshot.items],
        "decisions": [decision_json(decision, lang) | _fidelity(snapshot, decision) for decision in snapshot.decisions],
        "problems": [problem_json(problem, lang) for problem in trace.problems_of(snapshot)],
    }


def _fidelity(snapshot: Snapshot, decision: Decision) -> dict[str, Any]:
    found = audit_of(snapshot, decision)
    return {"fidelity": found.to_json()} if found else {}


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
