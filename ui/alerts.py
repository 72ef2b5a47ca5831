"""What green numbers would hide: must-keep texts that are lost, and messages that the provider refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ctxcore.explaining.why import lights_of
from ctxcore.linting.finding import Finding
from ctxcore.linting.lint import lint
from ctxcore.linting.policies import provider_of
from ctxcore.trace import Trace
from ui.readings import of_trace


@dataclass(frozen=True)
class Alerts:
    lost: tuple[str, ...]  # must-keep texts of the scenario that are not in the payload verbatim
    refused: tuple[Finding, ...]  # errors of the payload
    refused_before: tuple[Finding, ...]  # errors that the input had


@of_trace
def alerts_of(trace: Trace) -> Alerts:
    """Remembered for a trace: the messages are written out to be looked through."""
    lost = tuple(text for text, lights in lights_of_facts(trace).items() if lights[-1][1] != "kept")
    provider, scenario = provider_of(trace.model.family), trace.scenario
    refused = lint(trace.messages, trace.tools, provider)
    return Alerts(lost, _errors(refused), _errors(lint(scenario.messages, scenario.tools, provider)))


@of_trace
def lights_of_facts(trace: Trace) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Of each must-keep text, whether each stage still has it: kept, partly or lost."""
    return {text: lights_of(trace, text) for text in trace.scenario.must_keep}


def _errors(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in found if finding.severity == "error")
