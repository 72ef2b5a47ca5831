"""The settings that a scenario's file brings: taken over where the app can show them, named where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ctxcore.budget import parse_limit
from ctxcore.errors import BudgetError
from ctxcore.systems import SYSTEMS, VARIANTS
from ui.workspace.workspace import MAX_WINDOW

MAX_SHARE = 100  # times the window
FITTING: Mapping[str, Callable[[Any], bool]] = {  # a file of a user may hold anything
    "system": lambda value: isinstance(value, str) and value in SYSTEMS,
    "variant": lambda value: isinstance(value, str) and value in VARIANTS,
    "model": lambda value: isinstance(value, str) and bool(value),
    "window": lambda value: type(value) is int and 0 < value <= MAX_WINDOW,
    "reserve": lambda value: type(value) is int and 0 <= value <= MAX_WINDOW,
    "limits": lambda value: isinstance(value, Mapping),
}


def read_settings(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Changes of a workspace, and the names of those that make no sense, which are left out. The rest of a workspace
    stays, but for the limits: those that the file does not name are the system's."""
    changes = {name: given[name] for name, fits in FITTING.items() if name in given and fits(given[name])}
    typed = {str(name): str(value) for name, value in changes.get("limits", {}).items()}
    limits = {name: value for name, value in typed.items() if _can_be(name, value)}
    refused = [name for name in FITTING if name in given and name not in changes]
    return {**changes, "limits": limits}, [*refused, *(f"limits.{name}" for name in typed if name not in limits)]


def _can_be(name: str, value: str) -> bool:
    try:
        tokens, share = parse_limit(name, value)
    except BudgetError:
        return False
    return (tokens or 0) <= MAX_WINDOW and (share or 0) <= MAX_SHARE
