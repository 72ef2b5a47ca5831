"""`convert`: a payload in another provider's shape, as a scenario file, or as Python that builds it again."""

from __future__ import annotations

import argparse
import json
import re

from ctxcore.build import build, model_name
from ctxcore.cli.outcome import Outcome
from ctxcore.cli.reading import scenario_of, services_of, settings_of
from ctxcore.exporting.exported import Exported
from ctxcore.exporting.targets import TARGETS, export, export_trace, target_called, with_form
from ctxcore.scenario import Scenario
from ctxcore.settings import settings_for

UNPRINTABLE = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")  # a terminal may obey them


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--to", required=True, metavar="FORMAT", help=f"one of {', '.join(TARGETS)}")


def convert(args: argparse.Namespace) -> Outcome:
    """The payload as it stands; with options of a build, what that build makes of it."""
    target = target_called(args.to)
    scenario = scenario_of(args)
    given, services = settings_of(args), services_of(args)
    if services or any(value is not None for name, value in given.items() if name != "model"):
        made = export_trace(build(scenario, services=services, **given), target)
    else:
        made = _as_it_stands(scenario, target, args.model)
    notes = tuple(f"{target} cannot hold {line}." for line in made.losses)
    return Outcome(made.payload, lambda: _shown(made), notes=notes)


def _as_it_stands(scenario: Scenario, target: str, model: str | None) -> Exported:
    if target == "scenario":
        return Exported(scenario.to_json())
    asked = settings_for(scenario, {"system": "raw", "model": model})
    if target == "python" or any(True for _ in scenario.records()):
        return export_trace(build(scenario, asked), target)
    made = export(scenario.messages, scenario.tools, target, model_name(scenario, asked))
    return with_form(made, scenario.response_format, target)


def _shown(made: Exported) -> str:
    """The JSON or the program; what a terminal could obey is written as an escape, which means the same."""
    if isinstance(made.payload, str):
        return made.payload
    text = json.dumps(made.payload, ensure_ascii=False, indent=2)
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
