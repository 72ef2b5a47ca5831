"""Agent runs: the scripted one, with and without management, each built once for a language and a window."""

from __future__ import annotations

import streamlit as st

from ctxcore import __version__
from ctxcore.agent.scripted import Script, play, script
from ctxcore.agent.step import Step
from ctxcore.settings import Settings

Run = tuple[Step, ...]


def scripted(lang: str) -> Script:
    return script(lang=lang)


def runs_of(lang: str, window: int) -> tuple[Run, Run]:
    """The task with management and without, in a window of that many tokens."""
    return _played(lang, window, True, __version__), _played(lang, window, False, __version__)


@st.cache_resource(max_entries=16, show_spinner=False)
def _played(lang: str, window: int, managed: bool, version: str) -> Run:
    return tuple(play(scripted(lang), managed=managed, settings=Settings(system="layered", window=window)))
