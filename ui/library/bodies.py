"""What is kept of the present scenario, run, comparison and system prompt: plain values; texts are named, not held."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ctxcore.counting.tokens import counter_for
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace
from ui.compare.sides import second
from ui.sources import editing
from ui.sources.scenarios import keep_scenario
from ui.workspace.workspace import Workspace

Body = dict[str, Any]


def scenario(given: Scenario) -> Body:
    return {
        "revision": keep_scenario(given),
        "messages": len(given.messages),
        "records": sum(1 for _ in given.records()),
    }


def run(workspace: Workspace, trace: Trace) -> Body:
    plain = {**workspace.to_plain(), "language": ""}
    now = {"total": trace.totals.total, "room": trace.budget.room, "items": len(trace.final.items)}
    return {"workspace": plain, **now, "of": len(trace.inputs)}


def comparison(workspace: Workspace, first: Trace, other: Trace) -> Body:
    side = second(workspace)
    names = {"first": _name(workspace), "second": _name(side)}
    return {**run(workspace, first), **names, "other_total": other.totals.total}


def prompt(given: Scenario, model: str) -> Body:
    """The system prompt and the tool definitions of a scenario: what one writes versions of."""
    body = {"system": system_text(given), "tools": [dict(tool) for tool in given.tools]}
    return {**body, "tokens": sum(counter_for(model).count(text) for text in texts_of(body).values())}


def system_text(given: Scenario) -> str:
    at = editing.system_at(given)
    return "" if at is None else "".join(editing.texts_of(given.messages[at]))


def texts_of(body: Mapping[str, Any]) -> dict[str, str]:
    """A version as texts to compare: tool definitions one a line."""
    tools = "\n".join(json.dumps(tool, ensure_ascii=False, indent=1) for tool in body["tools"])
    return {"system": str(body["system"]), "tools": tools}


def with_prompt(given: Scenario, body: Mapping[str, Any]) -> Scenario:
    """The scenario with that version of its system prompt and tools."""
    tooled, text = given.edited(tools=tuple(body["tools"])), str(body["system"])
    at = editing.system_at(given)
    if text == system_text(given):
        return tooled
    if at is not None and len(editing.texts_of(given.messages[at])) > 1:  # several parts become one
        return editing.message_changed(tooled, at, {**given.messages[at], "content": text})
    return editing.system_said(tooled, text)


def _name(workspace: Workspace) -> str:
    return f"{workspace.system} {workspace.variant} {workspace.window:,}"
