"""Article 3's own names, as doors to the same engine: its context manager, and its loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.step import Step
from ctxcore.agent.tools import Tool, calculator
from ctxcore.build import build
from ctxcore.counting.tokens import counter_for
from ctxcore.defaults import built_in_services
from ctxcore.errors import InputError
from ctxcore.model.replies import ChatModel
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.stages.compress_observation import CHARS_A_TOKEN, CompressObservation
from ctxcore.trace import Trace
from ctxcore.words import Phrase

MODEL = "gpt-4o"  # whose tokenizer counts
SYSTEM_PROMPT = "You solve a task in steps: think, act with one of the tools, observe. Answer when everything is known."


class ContextManager:
    """The three layers. `trace` holds the last build: every stage, every decision. `recall` takes texts that may be
    recalled; a build lets in those that serve the current sub-task."""

    def __init__(self, system_prompt: str, max_tokens: int = 8_000, *, variant: str = "repaired") -> None:
        self.system_prompt, self.max_tokens, self.variant = system_prompt, max_tokens, variant
        self.task_board: dict[str, Any] = {"goal": "", "done": [], "todo": [], "current": ""}
        self.working: list[dict[str, str]] = []
        self.recall: list[str] = []
        self.trace: Trace | None = None

    def update_task_board(
        self,
        goal: str | None = None,
        done: Iterable[str] | None = None,
        todo: Iterable[str] | None = None,
        current: str | None = None,
    ) -> None:
        """`done` is added to what is done; the others replace what was there."""
        if goal is not None:
            self.task_board["goal"] = goal
        if done is not None:
            self.task_board["done"] += list(done)
        if todo is not None:
            self.task_board["todo"] = list(todo)
        if current is not None:
            self.task_board["current"] = current

    def add_working(self, role: str, content: str, compress: bool = False) -> None:
        """`compress`: shortened for the current sub-task first."""
        if compress:
            aim = CompressObservation().max_chars // CHARS_A_TOKEN
            goal = str(self.task_board["current"] or self.task_board["goal"])
            content = built_in_services().compressor.compress(
                content, query=goal, max_tokens=aim, counter=counter_for(MODEL), source="tool"
            )
        self.working.append({"role": role, "content": content})

    def build(self) -> list[dict[str, Any]]:
        """Messages for any chat API."""
        opening = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        state = {"value": dict(self.task_board)} if any(self.task_board.values()) else None
        scenario = Scenario.from_json(
            {
                "schema": "ctxcore.scenario/1",
                "messages": [*opening, *self.working],
                "state": state,
                "memory": [{"text": text} for text in self.recall],
            }
        )
        self.trace = build(scenario, system="layered", variant=self.variant, model=MODEL, window=self.max_tokens)
        return self.trace.messages


def run_agent(
    goal: str,
    max_steps: int = 10,
    *,
    model: ChatModel | None = None,
    tools: Sequence[Tool] | None = None,
    system_prompt: str = SYSTEM_PROMPT,
    settings: Settings | None = None,
    steps: list[Step] | None = None,
) -> str:
    """The article's loop: the answer. `steps` collects what happened. Without a model, the one that the environment
    names is asked. Raises InputError where there is none, and where the task ends without an answer."""
    asked, made = model or _from_env(), steps if steps is not None else []
    scenario = Scenario.from_messages([{"role": "system", "content": system_prompt}, {"role": "user", "content": goal}])
    for step in react(
        scenario,
        asked,
        tools if tools is not None else (calculator(),),
        settings=settings,
        max_steps=max_steps,
        asking=Asking(),
    ):
        made.append(step)
    last = made[-1] if made else None
    if last is None or not last.finished:
        why = last.error or last.ended if last else Phrase("no-step-allowed")
        raise InputError("agent-no-answer", steps=max_steps, why=why)
    return last.answer


def _from_env() -> ChatModel:
    from ctxcore.model.endpoint import endpoint_from_env

    found = endpoint_from_env()
    if found is None:
        raise InputError("agent-no-model", option="model")
    return found


__all__ = ["ContextManager", "run_agent"]
