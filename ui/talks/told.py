"""A talk that was written: `ctxcore/talks/NAME.json`, in both languages, on a scenario that ships."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from ui.runs import trace_of
from ui.sources import shipped
from ui.talks.screen import Screen, Talk
from ui.workspace.workspace import Workspace

SETTINGS = ("system", "variant", "model", "window", "reserve")


def told(name: str, lang: str) -> Talk:
    data = _read(name)
    return Talk(data["title"][lang], tuple(_screen(data["scenario"], one, lang) for one in data["screens"]))


def title(name: str, lang: str) -> str:
    return str(_read(name)["title"][lang])


@cache
def names() -> tuple[str, ...]:
    found = (file.name for file in (files("ctxcore") / "talks").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in found if name.endswith(".json")))


@cache
def _read(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((files("ctxcore") / "talks" / f"{name}.json").read_text("utf-8"))
    return found


def _screen(scenario: str, one: Mapping[str, Any], lang: str) -> Screen:
    there = workspace(one.get("scenario", scenario), one.get("settings", {}), one["view"], one.get("stage", ""))
    title, say, notes = (one[part][lang] for part in ("title", "say", "notes"))
    return Screen(title, say, notes, there.view, there.stage, lambda: trace_of(there), there)


def workspace(scenario: str, settings: Mapping[str, Any], view: str = "items", stage: str = "") -> Workspace:
    """The scenario as it ships, with the screen's own settings."""
    base = Workspace(scenario=scenario, **shipped.settings_of(shipped.shipped(scenario)))
    limits = {} if settings.get("system", base.system) != base.system else dict(base.limits)
    own = {name: value for name, value in settings.items() if name in SETTINGS}
    return replace(base, **{"limits": limits, **own}, stage=stage, view=view)
