"""A stage's options as widgets, made from its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from ctxcore.catalogue import about_option, label_of
from ctxcore.running import Snapshot
from ctxcore.stage import Option, Stage, options_of
from ctxcore.stages import STAGES
from ctxcore.systems import SYSTEMS
from ui.signs import sign_panel
from ui.words import code, language, t
from ui.workspace import state
from ui.workspace.workspace import Workspace

Put = Callable[[dict[str, Any]], None]  # takes over all options anew


def native(name: str, now: Workspace | None = None) -> Stage:
    """The stage as the workspace's system has it, or as it is by itself."""
    now = now or state.workspace()
    own = {stage.name: stage for stage in SYSTEMS[now.system].stages(now.variant)}
    return own.get(name) or STAGES[name]()


def draw_options(snapshot: Snapshot) -> None:
    """A popover with every option of the stage; what differs from the variant's own is kept in the workspace."""
    if snapshot.name not in STAGES or not options_of(native(snapshot.name)):
        return
    with st.container(key="stage_options", width="content"):
        sign = ":material/tune:"
        panel = sign_panel(sign, t("stage.options"), "stage.options", of=snapshot.name, on_change="rerun")
    if panel.open:
        with panel:
            draw_form(snapshot.name)


def draw_form(name: str, side: Workspace | None = None, put: Put | None = None) -> None:
    """Every option of a stage, and the way back to what they were: of the workspace, or of another `side`."""
    now = side or state.workspace()
    for option in options_of(native(name, now)):
        _option(name, option, now, put)
    if any(path.startswith(f"{name}.") for path in now.options) and st.button(
        t("stage.reset"), icon=":material/restart_alt:", type="tertiary", key=f"stage.reset.{name}.{bool(put)}"
    ):
        left = {p: v for p, v in now.options.items() if not p.startswith(f"{name}.")}
        (put or _renewed)(left)


def _renewed(options: dict[str, Any]) -> None:
    state.put(options=options)
    st.rerun()


def _changed(options: dict[str, Any]) -> None:
    state.change(options=options)
    st.rerun()


def _option(stage: str, option: Option, side: Workspace, put: Put | None) -> None:
    path, now = f"{stage}.{option.name}", side.options
    value, key = now.get(path, option.value), state.key("other" if put else "options", path, side.variant)
    with st.container(key=f"{'other_' if put else ''}option_{stage}_{option.name}"):
        new = _field(stage, option, value, key)
    if str(new).lower() != str(value).lower():
        kept = {p: v for p, v in now.items() if p != path}
        (put or _changed)(kept if new == option.value else {**kept, path: new})


def _field(stage: str, option: Option, value: Any, key: str) -> Any:
    """Called as people say it; the help names it as the command line does."""
    label = label_of(stage, option, language())
    about = f"{about_option(stage, option, language())}  \n{code(f'{stage}.{option.name}')}"
    if option.type is bool:
        return st.toggle(label, str(value).lower() == "true", key=key, help=about)
    if option.choices:
        labels = {choice: choice or t("stage.as_all") for choice in option.choices}
        at = option.choices.index(str(value))
        return st.selectbox(label, option.choices, index=at, format_func=labels.__getitem__, key=key, help=about)
    if option.type in (int, float):
        return st.number_input(label, option.type(0), None, option.type(value), key=key, help=about)
    return st.text_input(label, str(value), key=key, help=about)
