"""The agent that ships with the product: a research task, its replies written by hand, played through the real loop.

Contexts, counts, tool results and compression are worked out as for any model. The replies are not: that the run
without management makes a call twice is written in its script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.step import Step
from ctxcore.agent.tools import Tool, calculator, search
from ctxcore.errors import InputError
from ctxcore.fakes import ScriptedModel
from ctxcore.item import Call
from ctxcore.model.replies import Reply
from ctxcore.scenario import Record, Scenario
from ctxcore.settings import Settings

SCRIPTS = ("parcel-lockers",)
LABELS = {"en": ("Thought: ", "Sub-task: ", "Final Answer: "), "zh": ("思考：", "子任务：", "最终答案：")}
WINDOW = 8_000  # tokens: the article's


@dataclass(frozen=True)
class Script:
    """A task and what the model says to it, with and without management."""

    name: str
    lang: str
    title: str
    about: str
    scenario: Scenario
    knowledge: tuple[Record, ...]  # what the search tool looks through
    replies: Mapping[str, tuple[Reply, ...]]  # managed, unmanaged

    @property
    def tools(self) -> tuple[Tool, ...]:
        return search(self.knowledge), calculator()

    def model(self, managed: bool = True) -> ScriptedModel:
        return ScriptedModel(self.replies["managed" if managed else "unmanaged"])


def play(
    script: Script, *, managed: bool = True, settings: Settings | None = None, max_steps: int = 12
) -> Iterator[Step]:
    """The scripted run in the article's window of 8,000 tokens, unless `settings` say otherwise."""
    asked = settings or Settings(system="layered", window=WINDOW)
    return react(
        script.scenario,
        script.model(managed),
        script.tools,
        settings=asked,
        max_steps=max_steps,
        managed=managed,
        asking=Asking(lang=script.lang),
    )


@cache
def script(name: str = SCRIPTS[0], lang: str = "en") -> Script:
    """Raises InputError for a name or a language that there is not."""
    if name not in SCRIPTS or lang not in LABELS:
        raise InputError("no-script", name=name, lang=lang, there=list(SCRIPTS), languages=list(LABELS))
    data = json.loads((resources.files("ctxcore") / "agent" / "scripts" / f"{name}.{lang}.json").read_text("utf-8"))
    return _script(data)


def _script(data: Mapping[str, Any]) -> Script:
    first, *later = data["plan"]
    state = {"goal": data["goal"], "current": first, "todo": later, "done": []}
    scenario = Scenario.from_json(
        {
            "schema": "ctxcore.scenario/1",
            "name": data["name"],
            "title": {data["lang"]: data["title"]},
            "about": {data["lang"]: data["about"]},
            "messages": [{"role": "system", "content": data["system"]}, {"role": "user", "content": data["goal"]}],
            "documents": data["documents"],
            "state": {"value": state},
        }
    )
    knowledge = tuple(
        Record(one["id"], one["text"], one["title"], extra={"link": one["link"]}) for one in data["knowledge"]
    )
    replies = {kind: tuple(_reply(one, data["lang"]) for one in listed) for kind, listed in data["replies"].items()}
    return Script(data["name"], data["lang"], data["title"], data["about"], scenario, knowledge, replies)


def _reply(said: Mapping[str, Any], lang: str) -> Reply:
    thought, sub_task, answer = LABELS[lang]
    lines = [thought + said["thought"]]
    lines += [sub_task + said["sub_task"]] if said.get("sub_task") else []
    lines += [answer + said["answer"]] if said.get("answer") else []
    call = said.get("call")
    calls = (Call("", call["name"], json.dumps(call["arguments"], ensure_ascii=False)),) if call else ()
    return Reply("\n".join(lines), calls)
