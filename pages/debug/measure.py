"""Measure: where in its context your own model finds what it was told."""

from __future__ import annotations

import streamlit as st

from ui import jobs
from ui.measure import measured, measuring, sharing
from ui.measure.plan import choose_plan, says_cost
from ui.settings.models import draw_model
from ui.sharing.panel import draw_share
from ui.words import literal, t

st.title(t("measure.heading"), anchor=False)
st.caption(t("measure.about"))
endpoint = draw_model(t("measure.no_model"))
plan = choose_plan()
at_work = measuring.running()
if at_work is not None:
    measuring.progress(st.session_state.get("_measure_calls", 1))
elif plan is not None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="measure_go"):
        label = t("measure.go", calls=plan.calls)
        if st.button(label, icon=":material/science:", type="primary", key="measure.go", disabled=endpoint is None):
            measuring.start(plan, endpoint)
            st.session_state["_measure_calls"] = plan.calls
            st.rerun()
        if endpoint is not None:
            st.caption(says_cost(plan, endpoint))
last = jobs.job(st.session_state.get(measuring.JOB))
if last is not None and last.done and last.error:
    st.warning(literal(last.error), icon=":material/warning:")
measured.draw()
with st.sidebar:
    draw_share(lambda: sharing.fill(measured.all_curves()))
