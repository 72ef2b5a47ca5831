"""A trace as a short Python program that builds the same payload again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ctxcore.importing.scenario_file import written
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings

PROGRAM = '''"""Builds this payload again with ctxcore: run it where ctxcore can be imported."""

import json

from ctxcore import {imports}

SCENARIO = Scenario.from_json({scenario})
SETTINGS = Settings({settings})

trace = build(SCENARIO, SETTINGS)
request = {{"model": {model!r}, "messages": trace.messages}}
if trace.tools:  # an empty list is refused
    request["tools"] = trace.tools

if __name__ == "__main__":
    print(json.dumps(request, ensure_ascii=False, indent=2))
'''


def program(scenario: Scenario, settings: Settings, model: str) -> str:
    given = {one.name: getattr(settings, one.name) for one in fields(Settings)}
    unlike = {name: value for name, value in given.items() if value != getattr(Settings(), name)}
    return PROGRAM.format(
        imports=", ".join((*(["Edit"] if settings.edits else []), "Scenario", "Settings", "build")),
        scenario=_literal(written(scenario)),
        settings="".join(f"\n    {name}={value!r}," for name, value in unlike.items()) + ("\n" if unlike else ""),
        model=model,
    )


def _literal(data: Mapping[str, Any]) -> str:
    """The scenario with a field a line, and a message or a document a line."""
    lines = ["{"]
    for name, value in data.items():
        if isinstance(value, list) and value:
            lines += [f"    {name!r}: [", *(f"        {one!r}," for one in value), "    ],"]
        else:
            lines.append(f"    {name!r}: {value!r},")
    return "\n".join((*lines, "}"))
