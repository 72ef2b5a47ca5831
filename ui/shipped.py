"""The scenarios that ship with ctxcore, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from ctxcore.errors import InputError
from ctxcore.scenario import Scenario
from ctxcore.systems import SYSTEMS, VARIANTS

FIRST = "support-chat"  # what a first visitor sees: a conversation that loses what matters
FITTING: Mapping[str, Callable[[Any], bool]] = {  # a file of a user may hold anything
    "system": lambda value: isinstance(value, str) and value in SYSTEMS,
    "variant": lambda value: isinstance(value, str) and value in VARIANTS,
    "model": lambda value: isinstance(value, str) and bool(value),
    "window": lambda value: type(value) is int and value > 0,
    "reserve": lambda value: type(value) is int and value >= 0,
}


@cache
def names() -> tuple[str, ...]:
    """In the order in which a picker shows them."""
    folder = files("ctxcore") / "scenarios"
    found = sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))
    return tuple(sorted(found, key=lambda name: name != FIRST))


@st.cache_resource(show_spinner=False)
def shipped(name: str) -> Scenario:
    """Raises InputError for a name that is none; the first one for ""."""
    if name and name not in names():
        raise InputError(f"There is no scenario {name!r}; there are {', '.join(names())}.")
    return Scenario.load(str(files("ctxcore") / "scenarios" / f"{name or names()[0]}.json"))


def settings_of(scenario: Scenario) -> dict[str, Any]:
    """What the scenario wants set when it is opened, as changes of a workspace; the rest is left as it is."""
    given: Mapping[str, Any] = scenario.settings
    changes = {name: given[name] for name, fits in FITTING.items() if name in given and fits(given[name])}
    limits = given.get("limits")
    typed = limits.items() if isinstance(limits, Mapping) else ()
    return {**changes, "limits": {str(name): str(value) for name, value in typed}}
