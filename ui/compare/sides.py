"""The two sides of a comparison: the workspace, and what the second side has otherwise.

`Workspace.other` holds the differences alone, so that the second side follows the first in all the rest. In a link it
stands as `system:raw;window:8000;limits.docs:25%`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote

from ctxcore.comparing.demos import DEMOS
from ctxcore.settings import DEFAULT_MODEL
from ctxcore.stages import STAGES
from ctxcore.systems import SYSTEMS
from ui.settings.file_settings import FITTING, read_settings
from ui.workspace.workspace import Workspace

PARTS = ("flips", "payload", "treemap", "settings", "evaluate")
GROUPS = ("limits", "options")  # differences that hold several values
FIRST: Mapping[str, Mapping[str, Any]] = {"raw": {"system": "gssc"}}  # the second side until one is chosen, by system
ELSE: Mapping[str, Any] = {"system": "raw"}
LONGEST = 4_000  # characters of a link's part


def difference(now: Workspace) -> Mapping[str, Any]:
    return now.other or FIRST.get(now.system, ELSE)


def second(now: Workspace) -> Workspace:
    """The workspace as the second side has it. Another system brings its own limits, options and stages."""
    given = dict(difference(now))
    is_elsewhere = given.get("system", now.system) != now.system
    own: dict[str, Any] = {"limits": {}, "options": {}, "stages": ()} if is_elsewhere else {}
    if "scenario" in given or "revision" in given:
        own |= {"revision": "", "pins": (), "edits": ()}
    if "stages" in given:
        given["stages"] = tuple(given["stages"])
    return replace(now, **{**own, **given})


def as_demo(now: Workspace, name: str) -> Workspace:
    """The workspace with a demonstration on both sides; its sources are open already."""
    demo = DEMOS[name]
    first, other = ({**demo.both, **side} for side in (demo.first, demo.second))
    fresh: dict[str, Any] = {"system": "gssc", "variant": "repaired", "limits": {}, "options": {}, "stages": ()}
    left = {**fresh, **first}
    left.setdefault("window", SYSTEMS[left["system"]].window)
    mine = {field: value for field, value in other.items() if value != first.get(field)}
    if "system" in mine:  # it brings limits and options of its own, so that the second side must name them again
        mine |= {field: other[field] for field in GROUPS if field in other}
    return replace(now, **{**left, "model": DEFAULT_MODEL, "reserve": None, "other": mine, "demo": name})


def write(other: Mapping[str, Any]) -> str:
    flat: dict[str, str] = {}
    for field, value in other.items():
        if isinstance(value, Mapping):
            flat |= {f"{field}.{name}": str(one) for name, one in value.items()} or {field: ""}
        else:
            flat[field] = ",".join(value) if isinstance(value, list | tuple) else str(value)
    return ";".join(f"{name}:{quote(value, safe=' %,.', errors='replace')}" for name, value in flat.items())


def read(text: str) -> tuple[dict[str, Any], list[str]]:
    """What `write` wrote, or somebody typed; and the parts that make no sense."""
    given: dict[str, Any] = {}
    for part in text[:LONGEST].split(";"):
        name, _, value = part.partition(":")
        group, _, inner = name.partition(".")
        if group in GROUPS:
            given.setdefault(group, {}).update({inner: unquote(value)} if inner else {})
        elif name:
            given[name] = unquote(value)
    return checked(given)


def checked(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    plain = {name: _number(value) if name in ("window", "reserve") else value for name, value in given.items()}
    settings = {name: value for name, value in plain.items() if name in FITTING}
    good, refused = read_settings(settings)
    if "limits" not in settings:
        good.pop("limits")
    if isinstance(options := plain.get("options"), Mapping):
        good["options"] = {str(path): str(value) for path, value in options.items() if path.partition(".")[0] in STAGES}
    if names := plain.get("stages"):
        order = names.split(",") if isinstance(names, str) else list(names)
        good |= {"stages": order} if set(order) <= STAGES.keys() else {}
    good |= {name: str(plain[name]) for name in ("scenario", "revision") if plain.get(name)}
    return good, [*refused, *(name for name in plain if name not in good and name not in settings)]


def _number(value: Any) -> Any:
    return int(value) if str(value).isascii() and str(value).isdigit() and len(str(value)) < 12 else value
