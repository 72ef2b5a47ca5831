"""The scenarios that ship with ctxcore, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st

from ctxcore.comparing.demos import DEMOS
from ctxcore.errors import InputError
from ctxcore.scenario import Scenario
from ui.settings.file_settings import read_settings

FIRST = "support-chat"  # what a first visitor sees: a conversation that loses what matters


@cache
def names() -> tuple[str, ...]:
    """In the order in which a picker shows them."""
    folder = files("ctxcore") / "scenarios"
    found = sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json"))
    return tuple(sorted(found, key=lambda name: name != FIRST))


@st.cache_resource(show_spinner=False)
def shipped(name: str) -> Scenario:
    """Also those that only a demonstration has. Raises InputError for a name that is none; the first one for ""."""
    if name in _demonstrated():
        return _demonstrated()[name]()
    if name and name not in names():
        raise InputError("no-scenario", name=name, there=list(names()))
    return Scenario.load(str(files("ctxcore") / "scenarios" / f"{name or names()[0]}.json"))


def is_there(name: str) -> bool:
    return name in names() or name in _demonstrated()


@cache
def _demonstrated() -> Mapping[str, Callable[[], Scenario]]:
    """Sources that were made for one demonstration each, which has their name."""
    return {demo.name: demo.sources for demo in DEMOS.values() if demo.sources().name == demo.name}


def settings_of(scenario: Scenario) -> dict[str, Any]:
    """What a scenario that ships wants set when it is opened, as changes of a workspace."""
    return read_settings(scenario.settings)[0]
