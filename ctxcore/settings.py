"""What one build is asked to do: plain values that can be stored, compared, and written as a command line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ctxcore.counting.models import model as model_called
from ctxcore.errors import InputError
from ctxcore.scenario import Scenario
from ctxcore.systems import system_called
from ctxcore.words import Phrase

DEFAULT_MODEL = "gpt-4o"
SHAPES = {  # of settings in a file, where they are no text
    "window": Phrase("give-tokens", such=8000),
    "reserve": Phrase("give-tokens", such=500),
    "limits": Phrase("give-object", such='{"docs": "25%"}'),
    "options": Phrase("give-object", such='{"select.on_misfit": "stop"}'),
    "stages": Phrase("give-names", such='["gather", "construct"]'),
    "pins": Phrase("give-texts"),
    "mutes": Phrase("give-texts"),
    "priorities": Phrase("give-object", such='{"tool-02": 1}'),
    "edits": Phrase("give-no-edits"),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that the user changed by hand, after a stage."""

    stage: str
    item: str
    text: str


@dataclass(frozen=True, slots=True)
class Settings:
    """`window` and `reserve` in tokens, None for the system's own; `limits` as typed (`25%`, `2000`); `options` by
    `stage.option`; `stages` None for the system's own; `pins` and `mutes` are texts or ids: items that hold them never
    leave, or never enter; `priorities` by text or id, 1 = first to stay … 10 = first to go."""

    system: str = "gssc"
    variant: str = "repaired"
    model: str | None = None
    window: int | None = None
    reserve: int | None = None
    limits: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    stages: tuple[str, ...] | None = None
    query: str | None = None
    pins: tuple[str, ...] = ()
    mutes: tuple[str, ...] = ()
    priorities: tuple[tuple[str, int], ...] = ()
    edits: tuple[Edit, ...] = field(default=())


def settings_for(scenario: Scenario, given: Mapping[str, Any]) -> Settings:
    """What the caller gave, over what the file says, over the defaults. Raises InputError for unknown names."""
    known = {f.name for f in fields(Settings)}
    asked = {key: value for key, value in given.items() if value is not None}
    if unknown := sorted(asked.keys() - known):
        raise InputError("build-takes-no", names=unknown, there=sorted(known))
    stored = _stored(_checked({key: value for key, value in scenario.settings.items() if key in known}), asked)
    merged = {**stored, **asked}
    for name in ("limits", "options"):
        if isinstance(stored.get(name), Mapping) and isinstance(asked.get(name), Mapping):
            merged[name] = {**stored[name], **asked[name]}
        if name in merged:
            merged[name] = _pairs(merged[name])
    if merged.get("priorities") is not None:
        merged["priorities"] = _priorities(merged["priorities"])
    for name in ("stages", "pins", "mutes", "edits"):
        if merged.get(name) is not None:
            merged[name] = tuple(merged[name])
    return Settings(**merged)


def _checked(stored: dict[str, Any]) -> dict[str, Any]:
    """The file's own settings. Raises InputError for one that is of another kind than it can be."""
    given = {name: value for name, value in stored.items() if value is not None}
    for name, value in given.items():
        is_list = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        fits = {
            "window": isinstance(value, int) and not isinstance(value, bool),
            "reserve": isinstance(value, int) and not isinstance(value, bool),
            "limits": isinstance(value, Mapping),
            "options": isinstance(value, Mapping),
            "stages": is_list and bool(value),
            "pins": is_list,
            "mutes": is_list,
            "priorities": isinstance(value, Mapping),
            "edits": False,  # they are made in the app, and name what lies in its store
        }.get(name, isinstance(value, str))
        if not fits:
            wanted = SHAPES.get(name, Phrase("give-text"))
            raise InputError("setting-kind", name=name, value=json.dumps(value)[:60], wanted=wanted)
    return given


def _stored(stored: dict[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """What of the file's settings still makes sense beside what the caller gave."""
    if asked.get("system", stored.get("system")) != stored.get("system"):
        stored = {key: value for key, value in stored.items() if key not in ("limits", "stages", "options")}
    if "window" in asked:
        stored.pop("reserve", None)  # it was meant for the file's own window
    elif "model" in stored and "model" not in asked and "window" not in stored:
        # The model that a log was made with says how to count; only one that the caller names sets the window.
        system = system_called(str(asked.get("system", stored.get("system", "gssc"))))
        stored["window"] = min(system.window, model_called(str(stored["model"])).window)
    return stored


def _pairs(values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> tuple[tuple[str, str], ...]:
    return tuple((str(key), str(value)) for key, value in dict(values).items())


def _priorities(values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> tuple[tuple[str, int], ...]:
    """Raises InputError for one that is no number from 1 to 10."""
    out = []
    for name, value in values.items() if isinstance(values, Mapping) else values:
        text = str(value).strip()
        if not (str(name).strip() and text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= 10):
            raise InputError("priority-value", name=name, text=text)
        out.append((str(name), int(text)))
    return tuple(out)
