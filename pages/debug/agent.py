"""The ReAct run, step by step, with the window filling up; with and without management."""

import streamlit as st

from ctxcore.agent.metrics import compared
from ctxcore.findings import findings_of_run
from ui.agent_chart import figure
from ui.agent_step import draw_step
from ui.agent_table import draw_findings, draw_metrics
from ui.episodes import runs_of, scripted
from ui.words import language, literal, t

PICKED = "_agent_step"  # of the session
lang = language()
task = scripted(lang)
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.title(literal(task.title), anchor=False)
    st.space("stretch")
    with st.container(key="agent_window", width=220):
        window = st.select_slider(
            t("control.window"), [4_000, 5_000, 6_000, 8_000, 12_000, 16_000], value=8_000, key="agent.window"
        )
st.caption(literal(task.about))
managed, unmanaged = runs_of(lang, window)

at = min(max(1, int(st.session_state.get(PICKED, 1))), len(managed))
with st.container(key="agent_timeline"):
    event = st.plotly_chart(
        figure(managed, unmanaged, at),
        key=f"agent.timeline.{window}",
        on_select="rerun",
        selection_mode="points",
        config={"displayModeBar": False},
    )
points = event["selection"]["points"] if event else []
if points and points[0].get("x"):
    at = min(max(1, int(points[0]["x"])), len(managed))
with st.container(key="agent_pick", horizontal=True, vertical_alignment="center", gap="small"):
    which = st.segmented_control(
        t("agent.which"),
        ["managed", "unmanaged"],
        default="managed",
        required=True,
        key="agent.which",
        format_func={"managed": t("agent.managed"), "unmanaged": t("agent.unmanaged")}.__getitem__,
        label_visibility="collapsed",
    )
    steps = managed if which == "managed" else unmanaged
    at = min(at, len(steps))
    at = st.segmented_control(
        t("agent.step"),
        list(range(1, len(steps) + 1)),
        default=at,
        required=True,
        key=f"agent.step.{which}",
        label_visibility="collapsed",
        wrap=True,
    )
st.session_state[PICKED] = at
draw_step(steps[at - 1], steps[at - 2] if at > 1 else None)
draw_metrics(compared(managed, unmanaged))
draw_findings(findings_of_run(managed), findings_of_run(unmanaged))
