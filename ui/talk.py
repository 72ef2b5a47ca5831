"""A talk: screens that each show one view of one run, with what to say and notes for the speaker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from ctxcore.trace import Trace
from ui.looking import Looking
from ui.runs import trace_of
from ui.sources import shipped
from ui.workspace.workspace import Workspace

Words = Mapping[str, str]  # language → text


@dataclass(frozen=True)
class Screen:
    title: Words
    say: Words
    notes: Words
    view: str
    stage: str
    settings: Mapping[str, Any]

    def workspace(self, scenario: str) -> Workspace:
        """What the screen shows, as a workspace: the scenario as it ships, with the screen's own settings."""
        base = Workspace(scenario=scenario, **shipped.settings_of(shipped.shipped(scenario)))
        limits = {} if self.settings.get("system", base.system) != base.system else dict(base.limits)
        own = {
            name: value
            for name, value in self.settings.items()
            if name in ("system", "variant", "model", "window", "reserve")
        }
        return replace(base, **{"limits": limits, **own}, stage=self.stage, view=self.view)

    def looking(self, scenario: str) -> Looking:
        trace: Trace = trace_of(self.workspace(scenario))
        names = [snapshot.name for snapshot in trace.snapshots]
        return Looking(trace, names.index(self.stage) if self.stage in names else len(names) - 1)


@dataclass(frozen=True)
class Talk:
    title: Words
    scenario: str
    screens: tuple[Screen, ...]


@cache
def talk(name: str) -> Talk:
    data = json.loads((files("ctxcore") / "talks" / f"{name}.json").read_text("utf-8"))
    screens = tuple(
        Screen(s["title"], s["say"], s["notes"], s["view"], s.get("stage", ""), s.get("settings", {}))
        for s in data["screens"]
    )
    return Talk(data["title"], data["scenario"], screens)
