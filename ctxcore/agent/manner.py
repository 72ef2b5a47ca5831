"""How a loop keeps what has happened: managed, as the article's code does it, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.systems import system_called


@dataclass(frozen=True, slots=True)
class Manner:
    keeps_board: bool  # the board is part of the state, updated the moment a tool returns
    adapts: bool  # results are brought into one shape
    compresses: bool  # … and shortened for the current sub-task before they enter
    keeps_facts: bool  # the length is a target: numbers that the sub-task asks for may exceed it
    recognises: bool  # a repeated call is answered from what is known
    plain_roles: bool  # the article's: the reply as it is, the observation as a message by the user


MANAGED = Manner(True, True, True, True, True, False)
ARTICLE = Manner(True, False, True, False, False, True)
UNMANAGED = Manner(False, False, False, False, False, False)


@dataclass(frozen=True)
class Asking:
    """How the model is asked. `speech`: calls (native tool calls), json (held to a schema) or text (ReAct lines)."""

    speech: str = "calls"
    lang: str = "en"  # of what the loop itself says to the model
    services: Services | None = None  # None: the built-in ones
    on_text: Callable[[str], object] | None = None  # gets the reply piece by piece


def manner_of(settings: Settings, managed: bool) -> Manner:
    if not managed:
        return UNMANAGED
    return ARTICLE if (settings.system, settings.variant) == ("layered", "article") else MANAGED


def settings_of(settings: Settings | None, managed: bool) -> Settings:
    """Those of the loop's builds: `layered` where nothing is said; without management `raw`, in the same window."""
    asked = settings or Settings(system="layered")
    if managed:
        return asked
    system = system_called(asked.system)
    window = asked.window if asked.window is not None or asked.model else system.window
    reserve = asked.reserve
    if reserve is None and window is not None:
        reserve = min(system.native_reserve(asked.variant, window), window // 8)
    return replace(
        asked,
        system="raw",
        variant="repaired",
        window=window,
        reserve=reserve,
        limits=(),
        options=(),
        stages=None,
        edits=(),
    )
