"""The shapes in which a payload can be taken along, by name."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ctxcore.counting.models import model as model_called
from ctxcore.errors import InputError
from ctxcore.exporting import anthropic, gemini, openai_chat, openai_responses
from ctxcore.exporting.exported import Exported
from ctxcore.exporting.python_program import program
from ctxcore.linting.policies import provider_of
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace

Writer = Callable[[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]], str], Exported]

PROVIDERS: dict[str, Writer] = {
    "openai-chat": openai_chat.write,
    "openai-responses": openai_responses.write,
    "anthropic": anthropic.write,
    "gemini": gemini.write,
}
TARGETS = (*PROVIDERS, "scenario", "python")
ALSO = {"openai": "openai-chat", "chat": "openai-chat", "responses": "openai-responses", "claude": "anthropic"}
FOREIGN = "the model {model}, which is of another provider: put your own"
LINTED_AS = {"openai-chat": "openai"}  # what lint calls it


def target_called(name: str) -> str:
    wanted = ALSO.get(name, name)
    if wanted not in TARGETS:
        raise InputError("no-target", name=name, there=list(TARGETS))
    return wanted


def export(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], target: str, model: str
) -> Exported:
    """Chat messages and tools in a provider's shape, with what that shape cannot hold."""
    made = PROVIDERS[target](messages, tools, model)
    return replace(made, losses=(*made.losses, FOREIGN.format(model=model))) if _is_foreign(model, target) else made


def _is_foreign(name: str, target: str) -> bool:
    """Whether it is known as another provider's; open models go by OpenAI's shapes."""
    known = model_called(name)
    return known.is_known and provider_of(known.family) != target.partition("-")[0]


def export_trace(trace: Trace, target: str) -> Exported:
    """The payload of a build in any of the shapes."""
    if target == "python":
        return Exported(program(trace.scenario, trace.settings, trace.model_name))
    if target == "scenario":
        return Exported(_as_scenario(trace))
    made = export(trace.messages, trace.tools, target, trace.model_name)
    return with_form(made, trace.scenario.response_format, target)


def with_form(made: Exported, asked: Mapping[str, Any] | None, target: str) -> Exported:
    """The request with the form that the scenario asks of the answer."""
    if not asked:
        return made
    if target == "openai-chat":
        return replace(made, payload={**made.payload, "response_format": copy.deepcopy(dict(asked))})
    schema = asked.get("json_schema")
    if target == "openai-responses" and isinstance(schema, Mapping):
        form = {"type": "json_schema", **copy.deepcopy(dict(schema))}
        return replace(made, payload={**made.payload, "text": {"format": form}})
    return replace(made, losses=(*made.losses, "the form that is asked of the answer: /response_format"))


def _as_scenario(trace: Trace) -> Mapping[str, Any]:
    """The payload, not the sources, as a scenario of its own."""
    settings = {"model": trace.model_name}
    return Scenario.from_messages(
        trace.messages,
        tools=trace.tools,
        name=trace.scenario.name,
        format="scenario",
        settings=settings,
        extra={"response_format": form} if (form := trace.scenario.response_format) else {},
    ).to_json()
