"""The stages of Compare's second side: which, in which order, when, with which options."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ctxcore.stages import STAGES
from ui.signs import sign
from ui.stages.form import draw_form
from ui.stages.order import moved, order_of
from ui.stages.when import draw_when
from ui.words import t
from ui.workspace import state
from ui.workspace.workspace import Workspace


def draw_side_stages(side: Workspace, change: Callable[..., None]) -> None:
    """`change` takes over what the second side has otherwise, and draws anew."""
    order = order_of(side)
    with st.container(key="compare_stages"):
        chosen = st.multiselect(
            t("compare.stages"),
            list(dict.fromkeys([*order, *STAGES])),
            list(order),
            key=state.key("other", "stages", *order),
        )
    if chosen and tuple(chosen) != order:
        change(stages=chosen)
    with st.container(key="compare_stage", horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        name = st.selectbox(t("compare.stage"), order, key="compare.stage")
        for verb, by in (("up", -1), ("down", 1)):
            after = moved(order, name, by)
            icon, label = f":material/arrow_{verb}ward:", t(f"pipeline.{verb}")
            if sign(icon, label, f"compare.{verb}", of=name, type="tertiary", disabled=after == order):
                change(stages=list(after))
    key = state.key("other", f"{name}.when", str(side.options.get(f"{name}.when", "")))
    changed = draw_when(name, side.options, "compare_when", key)
    if changed is not None:
        change(options=changed)
    draw_form(name, side, lambda options: change(options=options))
