"""A task cut into sub-tasks, each with its own context; what one finds out is handed on as data (c12)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.plan import Plan, SubTask, in_order
from ctxcore.agent.step import Step
from ctxcore.agent.tools import Tool
from ctxcore.model.replies import ChatModel
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings


@dataclass(frozen=True, slots=True)
class Segment:
    """One sub-task, done or broken off: `result` is {} where it gave no answer."""

    sub_task: SubTask
    steps: tuple[Step, ...]
    result: Mapping[str, Any]

    @property
    def finished(self) -> bool:
        return bool(self.steps) and self.steps[-1].finished


def run_plan(
    plan: Plan,
    model: ChatModel,
    tools: Sequence[Tool],
    *,
    system: str = "",
    settings: Settings | None = None,
    max_steps: int = 12,
    stop: Callable[[], bool] | None = None,
    asking: Asking | None = None,
) -> Iterator[Segment]:
    """One segment a sub-task, in the order of their needs. The first that ends without an answer is the last."""
    results: dict[str, Mapping[str, Any]] = {}
    ordered = in_order(plan)
    for one in ordered:
        opening = opening_of(plan, one, results, system)
        steps = tuple(react(opening, model, tools, settings=settings, max_steps=max_steps, stop=stop, asking=asking))
        segment = Segment(one, steps, handed_over(steps[-1].answer) if steps and steps[-1].finished else {})
        yield segment
        if not segment.finished:
            return
        results[one.name] = segment.result


def opening_of(plan: Plan, sub_task: SubTask, results: Mapping[str, Mapping[str, Any]], system: str = "") -> Scenario:
    """The context a sub-task starts with: its task, the goal and the graph on the board, and the results it needs."""
    messages = [{"role": "system", "content": system}] if system else []
    done = list(results)
    todo = [_shown(one) for one in in_order(plan) if one.name not in results and one.name != sub_task.name]
    notes = [
        {"text": json.dumps({"from": need, "result": results[need]}, ensure_ascii=False)}
        for need in sub_task.needs
        if need in results
    ]
    return Scenario.from_json(
        {
            "schema": "ctxcore.scenario/1",
            "name": sub_task.name,
            "notes": notes,
            "messages": [*messages, {"role": "user", "content": sub_task.task}],
            "state": {
                "value": {"goal": plan.goal or sub_task.task, "current": sub_task.task, "todo": todo, "done": done}
            },
        }
    )


def handed_over(answer: str) -> Mapping[str, Any]:
    """The answer as data: a JSON object as it is; `name: value` lines as such; other text under `answer`."""
    try:
        value = json.loads(answer)
    except ValueError:
        value = None
    if isinstance(value, Mapping):
        return dict(value)
    pairs = [line.split(":", 1) for line in answer.strip().splitlines() if line.strip()]
    if len(pairs) > 1 and all(len(pair) == 2 and len(pair[0]) <= 40 for pair in pairs):
        return {name.strip(" -*"): text.strip() for name, text in pairs}
    return {"answer": answer.strip()}


def _shown(sub_task: SubTask) -> str:
    return sub_task.name + (f" (needs {', '.join(sub_task.needs)})" if sub_task.needs else "")
