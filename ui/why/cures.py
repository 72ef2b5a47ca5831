"""What would bring a text back, or take it out: the smallest change of each kind, and one click to make it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import streamlit as st

from ctxcore import __version__
from ctxcore.explaining.probing import QUICK
from ctxcore.explaining.remedies import Remedy, each_loss, each_remedy
from ctxcore.explaining.why import Story
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.trace import Trace
from ui.why.as_found import AsFound
from ui.why.marks import sizes_of
from ui.why.previews import Outcome, draw_outcome
from ui.words import language, literal, t
from ui.workspace import state
from ui.workspace.workspace import Workspace

ICONS = {
    "limit": "tune",
    "option": "toggle_on",
    "priority": "low_priority",
    "reserve": "savings",
    "window": "width",
    "order": "swap_vert",
    "pin": "keep",
    "unpin": "keep_off",
    "mute": "volume_off",
}


def draw_cures(trace: Trace, story: Story) -> None:
    kept = story.fate == "kept"
    if not kept:
        st.markdown(t("why.cures"))
    elif not st.toggle(t("why.losses"), key="why.losses"):
        return
    found = _found(trace.scenario.revision, trace.settings, story.text, __version__, trace.scenario, trace, story)
    can, fields = 0, _fields()
    with st.spinner(t("why.working")):
        for one in found:  # each stands there as soon as it is found
            if one.settings.stages == trace.settings.stages or "stages" in fields:
                _card(trace, story, can, one)
                can += 1
    if not can:
        st.caption(t("why.no_loss") if kept else t("why.no_cure"))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs={Settings: repr})
def _found(
    revision: str, settings: Settings, text: str, version: str, _scenario: Scenario, _trace: Trace, _story: Story
) -> AsFound:
    return AsFound((each_loss if _story.fate == "kept" else each_remedy)(_scenario, _trace, _story, QUICK))


def _card(trace: Trace, story: Story, at: int, one: Remedy) -> None:
    kind = one.rule.partition("-")[2]
    with (
        st.container(border=True, key=f"why_cure_{at}", gap="xsmall"),
        st.container(horizontal=True, vertical_alignment="center", gap="small"),
    ):
        with st.container(gap="xsmall", width="stretch"):
            st.markdown(f":material/{ICONS[kind]}: {literal(one.says(language()))}")
            total, room = trace.totals.total, one.settings.window or trace.budget.window
            room -= trace.budget.reserve if one.settings.reserve is None else one.settings.reserve
            draw_outcome(Outcome(one.pushes_out, one.brings_in, total, one.tokens, room), sizes_of(trace))
        pressed = st.button(t("item.apply"), icon=":material/check:", key=f"why.apply.{at}.{one.rule}")
    if pressed:
        state.put(**changes_of(trace.settings, one.settings, story))
        st.rerun()


def changes_of(now: Settings, wanted: Settings, story: Story) -> dict[str, Any]:
    """The changes of the workspace that make `now` the `wanted` settings. Pins are ids here, never texts."""
    held = state.workspace()
    mine: dict[str, Any] = {
        "window": wanted.window,
        "reserve": wanted.reserve,
        "limits": {**held.limits, **dict(wanted.limits)},
        "options": {**held.options, **{path: _typed(value) for path, value in wanted.options}},
        "priorities": dict(wanted.priorities),
        "mutes": wanted.mutes,
        "pins": _pins(now.pins, wanted.pins, story),
        "stages": wanted.stages or (),
    }
    changed = {name for name in mine if getattr(now, name) != getattr(wanted, name)}
    return {name: value for name, value in mine.items() if name in changed & _fields()}


def _fields() -> set[str]:
    return {field.name for field in fields(Workspace)}


def _pins(now: tuple[str, ...], wanted: tuple[str, ...], story: Story) -> tuple[str, ...]:
    ids = [one.item for one in story.stories]
    named = [ids if pin == story.text else [pin] for pin in wanted]
    return tuple(dict.fromkeys(key for keys in named for key in keys))


def _typed(value: str) -> Any:
    try:
        plain = json.loads(value)
    except ValueError:
        return value
    return value if isinstance(plain, Mapping | list) or plain is None else plain
