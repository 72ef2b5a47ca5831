"""Monitoring (a11): every build as numbers, over time: a chart, a table, CSV. No text is kept."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import streamlit as st

from ctxcore.trace import Trace
from ctxcore.tuning.monitoring import Reading, reading, to_csv
from ui.charts import draw_chart
from ui.store.errors import ConflictError
from ui.store.shelf import Thing
from ui.views.growth import COLOURS
from ui.words import t
from ui.workspace import state
from ui.workspace.owner import owner

KEPT = 500  # builds; the oldest go
TRIES = 3  # where another tab keeps its own at the same moment
KIND, NAME = "runs", "builds"  # on the shelf
READINGS, LAST = "_readings", "_last_read"  # of the session


def record(trace: Trace) -> None:
    """Notes the build, if it is another one than the last: here, and on the shelf for after a reload."""
    mark = (trace.scenario.revision, repr(trace.settings))
    if st.session_state.get(LAST) == mark:
        return
    st.session_state[LAST] = mark
    new = reading(trace, datetime.now().isoformat(timespec="seconds"))
    kept = readings()
    if not kept or replace(kept[-1], at=new.at, seconds=new.seconds) != new:  # a reload builds the same again
        kept.append(new)
        _keep(new)


def readings() -> deque[Reading]:
    """Those of this visit and, where it has just begun, of the visits before."""
    if READINGS not in st.session_state:
        st.session_state[READINGS] = deque(_past(state.store().thing(owner(), KIND, NAME)), maxlen=KEPT)
    found: deque[Reading] = st.session_state[READINGS]
    return found


def _past(there: Thing | None) -> list[Reading]:
    with suppress(TypeError):  # kept by another version: begin anew
        return [Reading(**one) for one in there.body.get("readings", ())] if there and there.trashed is None else []
    return []


def _keep(new: Reading) -> None:
    """Behind what is kept by now: another tab keeps its own builds there as well."""
    for _ in range(TRIES):
        there = state.store().thing(owner(), KIND, NAME)
        rows = [asdict(one) for one in (*_past(there), new)][-KEPT:]
        with suppress(ConflictError):
            state.store().keep(Thing(owner(), KIND, NAME, {"readings": rows}, there.rev if there else 0))
            return


def draw(trace: Trace) -> None:
    found = list(readings())
    st.caption(t("monitor.about", kept=KEPT))
    if not found:
        st.info(t("monitor.none"), icon=":material/info:")
        return
    with st.container(key="monitor_chart"):
        draw_chart(figure(found), key="monitor.chart")
    _table(found)
    with st.container(key="monitor_csv", horizontal=True):
        st.download_button(
            t("monitor.csv"), to_csv(found), "builds.csv", "text/csv", key="monitor.csv", on_click="ignore"
        )
        if st.button(t("monitor.clear"), type="tertiary", key="monitor.clear"):
            readings().clear()
            state.store().erase(owner(), KIND, NAME)
            st.rerun()


def figure(found: list[Reading]) -> Any:
    import plotly.graph_objects as go

    chart = go.Figure()
    x = list(range(1, len(found) + 1))
    names = list(dict.fromkeys(name for one in found for name in one.sections))
    for at, name in enumerate(names):
        used = [one.sections.get(name, 0) for one in found]
        chart.add_bar(x=x, y=used, name=name, marker={"color": COLOURS[at % len(COLOURS)]})
    chart.add_scatter(
        x=x,
        y=[one.room for one in found],
        mode="lines",
        name=t("growth.room"),
        line={"dash": "dash", "color": "#6c7686"},
    )
    chart.add_scatter(
        x=x,
        y=[100 * one.ratio for one in found],
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


def _table(found: list[Reading]) -> None:
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
        for one in reversed(found)
    ]
    with st.container(key="monitor_table"):
        table = pd.DataFrame(told)
        tokens = {name: st.column_config.NumberColumn(format="localized") for name in table.select_dtypes("number")}
        st.dataframe(table, hide_index=True, height=260, key="monitor.table", column_config=tokens)
