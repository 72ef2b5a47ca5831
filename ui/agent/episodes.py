"""Agent runs: the scripted one, with and without management, each built once for a language and a window."""

from __future__ import annotations

import streamlit as st

from ctxcore import __version__
from ctxcore.agent.scripted import Script, play, script
from ctxcore.agent.step import Step
from ctxcore.model.endpoint import Endpoint
from ctxcore.settings import Settings
from ui.words import t

Run = tuple[Step, ...]
WINDOWS = (4_000, 5_000, 6_000, 8_000, 10_000)  # tokens: in all of them the script without management ends too early


def pick_player(endpoint: Endpoint | None) -> Endpoint | None:
    """Who answers: the model at hand, where there is one and it is asked for; None: the scripted agent."""
    if endpoint is None:
        return None
    labels = {name: t(f"agent.{name}") for name in ("scripted", "model")}
    picked = st.segmented_control(
        t("agent.who"),
        list(labels),
        default="scripted",
        required=True,
        key="agent.who",
        format_func=labels.__getitem__,
        label_visibility="collapsed",
    )
    return endpoint if picked == "model" else None


def scripted(lang: str) -> Script:
    return script(lang=lang)


def runs_of(lang: str, window: int) -> tuple[Run, Run]:
    """The task with management and without, in a window of that many tokens."""
    return _played(lang, window, True, __version__), _played(lang, window, False, __version__)


@st.cache_resource(max_entries=16, show_spinner=False)
def _played(lang: str, window: int, managed: bool, version: str) -> Run:
    return tuple(play(scripted(lang), managed=managed, settings=Settings(system="layered", window=window)))
