"""The conversation played turn by turn: how the payload grows, which limits bite, when compaction fires."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ctxcore import __version__
from ctxcore.findings import findings_of_replay
from ctxcore.replay import Turn, replay
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ui.agent.chart_marks import add_compacted, add_unmanaged
from ui.charts import draw_chart
from ui.looking import Looking
from ui.runs import settings_of
from ui.sources.scenarios import scenario_of
from ui.stages.problems import LOOKS
from ui.tables import draw_table
from ui.words import language, literal, number, t
from ui.workspace.state import workspace

MOST = 400  # turns that are played without being asked for


def draw(look: Looking) -> None:
    now = workspace()
    scenario = scenario_of(now)
    if sum(1 for message in scenario.messages if message.get("role") == "assistant") > MOST:
        st.info(t("growth.long", most=number(MOST)), icon=":material/info:")
        if not st.toggle(t("growth.anyway"), key="growth.anyway"):
            return
    turns = _played(scenario.revision, settings_of(now), __version__, scenario)
    with st.container(key="view_growth"):
        if not turns:
            st.info(t("growth.none"), icon=":material/info:")
            return
        draw_chart(_figure(turns), key="growth.chart")
        _found(turns)
        _table(turns)


@st.cache_resource(max_entries=16, show_spinner="…", hash_funcs={Settings: repr})
def _played(revision: str, settings: Settings, version: str, _scenario: Scenario) -> tuple[Turn, ...]:
    return tuple(replay(_scenario, settings))


def _figure(turns: tuple[Turn, ...]) -> Any:
    import plotly.graph_objects as go

    x = [turn.number for turn in turns]
    chart = go.Figure()
    for at, limit in enumerate(turns[0].limits):
        used = [next((use.used for use in turn.limits if use.name == limit.name), 0) for turn in turns]
        chart.add_bar(x=x, y=used, name=limit.name, offsetgroup="used", marker={"color": COLOURS[at % len(COLOURS)]})
    chart.add_scatter(
        x=x,
        y=[turn.total for turn in turns],
        mode="lines",
        name=t("growth.payload"),
        line={"color": "#8791a5", "width": 2.5},
    )
    add_unmanaged(chart, x, [turn.unmanaged for turn in turns])
    fired = [turn for turn in turns if turn.compacted]
    add_compacted(chart, [turn.number for turn in fired], [turn.total for turn in fired])
    budget = turns[0].trace.budget
    chart.add_hline(
        y=budget.room, line={"width": 1, "dash": "dash", "color": "#6c7686"}, annotation_text=t("growth.room")
    )
    top = 1.6 * max(budget.room, *(turn.total for turn in turns))
    chart.update_layout(
        barmode="stack",
        height=400,
        margin={"t": 64, "b": 40, "l": 8, "r": 8},
        legend={"orientation": "h", "y": 1.03, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={"title": t("growth.turn"), "fixedrange": True},
        yaxis={"title": t("agent.token_axis"), "range": [0, top], "fixedrange": True, "tickformat": ","},
    )
    return chart


COLOURS = ("#5a64af", "#b66fb3", "#8a9326", "#7ba7f1", "#a8c4f5", "#d99d41", "#359d79")


def _found(turns: tuple[Turn, ...]) -> None:
    for one in findings_of_replay(turns):
        colour, icon = LOOKS.get(one.severity, LOOKS["info"])
        st.markdown(
            f":{colour}[:material/{icon}:] {literal(one.says(language()))} :gray[{literal(one.cure(language()))}]"
        )


def _table(turns: tuple[Turn, ...]) -> None:
    import pandas as pd

    rows = [
        (
            turn.number,
            turn.question[:90],
            turn.total,
            turn.growth,
            turn.unmanaged,
            ", ".join(f"{rule} {count}" for rule, count in turn.bit.items()),
            ", ".join(turn.compacted),
        )
        for turn in turns
    ]
    columns = [t(f"growth.{name}") for name in ("turn", "question", "payload", "growth", "unmanaged", "bit", "fired")]
    draw_table(pd.DataFrame(rows, columns=columns), hide_index=True, height=320, key="growth.table")
