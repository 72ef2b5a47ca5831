"""Monitoring (a11): every build of this visit as numbers, over time: a chart, a table, CSV. No text is kept."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from typing import Any

import streamlit as st

from ctxcore.trace import Trace
from ctxcore.tuning.monitoring import Reading, reading, to_csv
from ui.views.growth import COLOURS
from ui.words import t

KEPT = 500  # builds of a visit; the oldest go
READINGS, LAST = "_readings", "_last_read"  # of the session


def record(trace: Trace) -> None:
    """Notes the build, if it is another one than the last."""
    mark = (trace.scenario.revision, repr(trace.settings))
    if st.session_state.get(LAST) == mark:
        return
    st.session_state[LAST] = mark
    kept: deque[Reading] = st.session_state.setdefault(READINGS, deque(maxlen=KEPT))
    kept.append(reading(trace, datetime.now().isoformat(timespec="seconds")))


def draw(trace: Trace) -> None:
    readings = list(st.session_state.get(READINGS, ()))
    st.caption(t("monitor.about", kept=KEPT))
    if not readings:
        st.info(t("monitor.none"), icon=":material/info:")
        return
    with st.container(key="monitor_chart"):
        st.plotly_chart(figure(readings), key="monitor.chart", config={"displayModeBar": False})
    _table(readings)
    with st.container(key="monitor_csv", horizontal=True):
        st.download_button(
            t("monitor.csv"), to_csv(readings), "builds.csv", "text/csv", key="monitor.csv", on_click="ignore"
        )
        if st.button(t("monitor.clear"), type="tertiary", key="monitor.clear"):
            del st.session_state[READINGS]
            st.rerun()


def figure(readings: list[Reading]) -> Any:
    import plotly.graph_objects as go

    chart = go.Figure()
    x = list(range(1, len(readings) + 1))
    names = list(dict.fromkeys(name for one in readings for name in one.sections))
    for at, name in enumerate(names):
        used = [one.sections.get(name, 0) for one in readings]
        chart.add_bar(x=x, y=used, name=name, marker={"color": COLOURS[at % len(COLOURS)]})
    chart.add_scatter(
        x=x,
        y=[one.room for one in readings],
        mode="lines",
        name=t("growth.room"),
        line={"dash": "dash", "color": "#6c7686"},
    )
    chart.add_scatter(
        x=x,
        y=[100 * one.ratio for one in readings],
        yaxis="y2",
        mode="lines+markers",
        name=t("monitor.ratio"),
        line={"color": "#b83a4b", "width": 1.5},
    )
    chart.update_layout(
        barmode="stack",
        height=340,
        margin={"t": 56, "b": 40, "l": 8, "r": 8},
        legend={"orientation": "h", "y": 1.03, "yanchor": "bottom", "x": 0},
        xaxis={"title": t("monitor.build"), "fixedrange": True, "dtick": max(1, len(x) // 12)},
        yaxis={"title": t("agent.token_axis"), "tickformat": ",", "fixedrange": True},
        yaxis2={"overlaying": "y", "side": "right", "ticksuffix": " %", "rangemode": "tozero", "showgrid": False},
    )
    return chart


def _table(readings: list[Reading]) -> None:
    import pandas as pd

    told = [
        {
            t("monitor.at"): one.at,
            t("control.scenario"): one.scenario,
            t("control.system"): f"{one.system} {one.variant}",
            t("control.window"): one.window,
            t("monitor.gathered"): one.gathered,
            t("monitor.total"): one.total,
            t("monitor.ratio"): f"{100 * one.ratio:.1f} %",
            **one.sections,
        }
        for one in reversed(readings)
    ]
    with st.container(key="monitor_table"):
        st.dataframe(pd.DataFrame(told), hide_index=True, height=260, key="monitor.table")
