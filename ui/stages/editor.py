"""The pipeline editor: stages added, removed, reordered, switched off; options and conditions; what was changed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ctxcore.catalogue import about
from ctxcore.comparing.changes import pipeline_changes
from ctxcore.condition import NEVER
from ctxcore.running import Snapshot
from ctxcore.settings import Settings
from ctxcore.stage import options_of
from ctxcore.stages import STAGES
from ctxcore.trace import Trace
from ui.compare.parts import draw_changes
from ui.runs import settings_of
from ui.said import says
from ui.signs import sign, sign_panel
from ui.stages.form import draw_form, native
from ui.stages.order import Order, kept_order, moved, order_of
from ui.stages.problems import LOOKS
from ui.stages.when import draw_when
from ui.words import code, language, literal, number, t
from ui.workspace import state


def put_order(order: Order) -> None:
    """Options of a stage that has gone go with it."""
    now = state.workspace()
    kept = {path: value for path, value in now.options.items() if path.rpartition(".")[0] in order}
    state.put(stages=kept_order(now, order), options=kept, stage="", run_to="")
    st.rerun()


def draw_stages(trace: Trace | None) -> None:
    now = state.workspace()
    order = order_of(now)
    ran = {snapshot.name: snapshot for snapshot in trace.snapshots} if trace else {}
    for at, name in enumerate(order):
        with st.container(border=True, key=f"pipeline_{name}", gap="xxsmall"):
            _row(order, at, ran.get(name))
            if trace and name in ran:
                _problems(trace, ran[name])
    _add(order)


def _row(order: Order, at: int, ran: Snapshot | None) -> None:
    name = order[at]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f":gray[{at + 1}] {code(name)}", width="content")
        if ran is not None:
            st.caption(_sizes(ran), width="content")
        st.space("stretch")
        with st.container(key=f"pipeline_on_{name}", width="content"):
            on = st.toggle(
                f"{t('pipeline.on')}: {name}",
                _is_on(name),
                key=state.key("options", name, "on"),
                label_visibility="collapsed",
            )
        if on != _is_on(name):
            _switch(name, on)
        with sign_panel(":material/tune:", t("stage.options"), f"pipeline.options.{name}", of=name, type="tertiary"):
            _condition(name)
            draw_form(name)
        if _button("up", name, ":material/arrow_upward:", at == 0):
            put_order(moved(order, name, -1))
        if _button("down", name, ":material/arrow_downward:", at == len(order) - 1):
            put_order(moved(order, name, 1))
        if _button("remove", name, ":material/close:", len(order) == 1):
            put_order(tuple(one for one in order if one != name))
    st.caption(literal(about(STAGES[name], language())))


def _sizes(ran: Snapshot) -> str:
    if ran.skipped:
        return says(ran.skipped, {})
    return f"{number(ran.tokens_before)} → {number(ran.tokens_after)}"


def _button(verb: str, name: str, icon: str, disabled: bool) -> bool:
    with st.container(key=f"pipeline_{verb}_{name}", width="content"):
        key = f"pipeline.{verb}.{name}"
        return sign(icon, t(f"pipeline.{verb}"), key, of=name, type="tertiary", disabled=disabled)


def _problems(trace: Trace, ran: Snapshot) -> None:
    for problem in trace.problems_of(ran):
        colour, icon = LOOKS.get(problem.severity, LOOKS["info"])
        st.markdown(f":{colour}[:material/{icon}:] {literal(says(problem.rule, problem.facts))}")


def _is_on(name: str) -> bool:
    options = state.workspace().options
    enabled = options.get(f"{name}.enabled", getattr(native(name), "enabled", True))
    return str(enabled).lower() == "true" and options.get(f"{name}.when") != NEVER


def _switch(name: str, on: bool) -> None:
    """By the stage's own switch where it has one, else by the condition that never holds."""
    own = next((option for option in options_of(native(name)) if option.name == "enabled"), None)
    if own is None or state.workspace().options.get(f"{name}.when") == NEVER:
        _set(f"{name}.when", None if on else NEVER)
    else:
        _set(f"{name}.enabled", None if on == own.value else on)


def _condition(name: str) -> None:
    path = f"{name}.when"
    changed = draw_when(name, state.workspace().options, f"pipeline_when_{name}", state.key("options", path))
    if changed is not None:
        _set(path, changed.get(path))


def _set(path: str, value: Any) -> None:
    kept = {known: one for known, one in state.workspace().options.items() if known != path}
    state.put(options=kept if value is None else {**kept, path: value})
    st.rerun()


def _add(order: Order) -> None:
    left = [name for name in STAGES if name not in order]
    labels = {name: f"{name} · {about(STAGES[name], language())}" for name in left}
    with st.container(key="pipeline_add"):
        chosen = st.selectbox(
            t("pipeline.add"),
            left,
            index=None,
            format_func=labels.__getitem__,
            placeholder=t("pipeline.add"),
            key=state.key("stages", "add"),
            label_visibility="collapsed",
        )
    if chosen:
        put_order((*order, chosen))


def draw_change_list() -> None:
    """Against the system's own pipeline."""
    now = state.workspace()
    found = pipeline_changes(Settings(system=now.system, variant=now.variant), settings_of(now))
    with st.container(key="pipeline_changes"):
        if not found:
            st.caption(t("pipeline.unchanged", system=now.system))
            return
        st.markdown(t("pipeline.changes", count=len(found)))
        draw_changes([(one.what, one.before, one.after) for one in found], (t("pipeline.own"), t("pipeline.now")))
        if st.button(t("pipeline.reset"), icon=":material/restart_alt:", type="tertiary", key="pipeline.reset"):
            state.put(stages=(), options={}, stage="", run_to="")
            st.rerun()
