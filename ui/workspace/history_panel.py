"""Undo, redo, and the history: every step by its name, and a click goes there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.components import Mount, component_words, keys
from ui.signs import sign, sign_panel
from ui.words import language, literal, t
from ui.workspace import state

SHOWN = 30  # steps, the newest


def draw_undo() -> None:
    _button("undo", "Ctrl+Z")
    _button("redo", "Ctrl+Shift+Z")
    _history()
    keys(Mount("keys", component_words(language())))


def _button(verb: str, shortcut: str) -> None:
    """No callback: the first click after a restart of the server would come without it."""
    with st.container(key=f"frame_{verb}", width="content"):
        label, disabled = t(f"frame.{verb}"), not state.can(verb)
        pressed = sign(
            f":material/{verb}:", label, f"frame.{verb}", shortcut=shortcut, disabled=disabled, type="tertiary"
        )
    if pressed:
        state.step(-1 if verb == "undo" else 1)
        st.rerun()


def _history() -> None:
    done = state.done()
    steps, now = done["steps"], done["at"]
    look: dict[str, Any] = {"type": "tertiary", "disabled": not steps, "on_change": "rerun"}
    with st.container(key="frame_history", width="content"):
        panel = sign_panel(":material/history:", t("frame.history"), "frame.history", **look)
    if not panel.open:
        return
    with panel, st.container(gap="xxsmall"):
        st.caption(t("frame.history_count", count=len(steps)))
        first = max(0, len(steps) - SHOWN)
        for at in range(len(steps), first - 1, -1):
            label = told(steps[at - 1]) if at else t("did.start")
            if st.button(
                f"**{label}**" if at == now else f":gray[{label}]" if at > now else label,
                icon=":material/radio_button_checked:" if at == now else ":material/radio_button_unchecked:",
                key=f"history.{at}",
                type="tertiary",
                disabled=at == now,
            ):
                state.jump(at)
                st.rerun()


def told(step: Mapping[str, Any]) -> str:
    """The name of a step; of one that another ctxcore named, its key."""
    key, facts = step["name"]
    kind, _, what = key.partition(".")
    try:
        return literal(t(f"did.{kind}.{what}", **facts) if what else t(f"did.{kind}", **facts))
    except KeyError:
        return literal(key)
