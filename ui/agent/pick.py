"""Which run and which step is looked at: picked on the chart, or by the buttons below it."""

from __future__ import annotations

import streamlit as st

from ui.agent.chart import UNMANAGED, figure
from ui.agent.episodes import Run
from ui.charts import draw_chart
from ui.words import t

WHICH, CHART = "agent.which", "agent.timeline"
PICKED = "_agent_picked"  # of the session: run and step, also while another page is looked at


def follow(which: str, number: int) -> None:
    """Looks at that step from now on; before its buttons are drawn."""
    st.session_state[PICKED] = [which, number]
    st.session_state[WHICH] = which
    st.session_state[_key(which)] = number


def draw_timeline(managed: Run, unmanaged: Run) -> None:
    which, at = _picked(managed, unmanaged)
    with st.container(key="agent_timeline"):
        draw_chart(
            figure(managed, unmanaged, at if which == "managed" else 0),
            key=CHART,
            on_select=_on_chart,
            selection_mode="points",
        )


def pick_step(managed: Run, unmanaged: Run) -> tuple[Run, int]:
    """The run, and the number of the step, from 1."""
    which, at = _picked(managed, unmanaged)
    runs = {name: run for name, run in (("managed", managed), ("unmanaged", unmanaged)) if run}
    labels = {name: t(f"agent.{name}") for name in runs}
    with st.container(key="agent_pick", horizontal=True, vertical_alignment="center", gap="small"):
        _set(WHICH, which)
        which = st.segmented_control(
            t("agent.which"),
            list(runs),
            required=True,
            key=WHICH,
            format_func=labels.__getitem__,
            label_visibility="collapsed",
        )
        _set(_key(which), at)
        at = st.segmented_control(
            t("agent.step"),
            list(range(1, len(runs[which]) + 1)),
            required=True,
            key=_key(which),
            label_visibility="collapsed",
            wrap=True,
        )
    st.session_state[PICKED] = [which, at]
    return runs[which], at


def _picked(managed: Run, unmanaged: Run) -> tuple[str, int]:
    """As the widgets say, else as it was on the last visit; within what there is."""
    last, number = st.session_state.get(PICKED, ["managed", 1])
    which = st.session_state.get(WHICH) or last
    steps = managed if which == "managed" else unmanaged
    if not steps:
        which, steps = ("managed", managed) if managed else ("unmanaged", unmanaged)
    at = st.session_state.get(_key(which)) or number
    return which, min(max(1, int(at)), len(steps))


def _set(key: str, value: str | int) -> None:
    """Only where it differs: what is set is sent to the browser, where the next click may have been made already."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _on_chart() -> None:
    points = st.session_state[CHART]["selection"]["points"]
    if points and points[0].get("x"):
        follow("unmanaged" if points[0].get("curve_number") == UNMANAGED else "managed", int(points[0]["x"]))


def _key(which: str) -> str:
    return f"agent.step.{which}"
