"""Each round's payload as a strip along its tokens, in the colours of its sources: what lies where as a run goes on."""

from __future__ import annotations

import streamlit as st

from ctxcore.placing.presets import curve_at
from ui.agent.episodes import Run
from ui.charts import draw_chart
from ui.palette import SOURCES
from ui.words import t


def draw(run: Run) -> None:
    with st.expander(t("agent.strips"), icon=":material/view_week:", key="agent.strips"):
        st.caption(t("agent.strips_about"))
        draw_chart(_figure(run), key="agent.strips.chart")


def _figure(run: Run) -> object:
    """One trace a source; plotly is loaded here alone."""
    import plotly.graph_objects as go

    dark = st.context.theme.type == "dark"
    bars: dict[str, list[tuple[float, float, int, str]]] = {}
    for step in run:
        total, window = max(1, step.trace.totals.total), step.trace.budget.window
        curve, items = curve_at(total / window), {item.id: item for item in step.trace.final.items}
        for span in step.trace.spans:
            start, end = span.start / total, span.end / total
            says = f"{span.item}: {100 * curve.over(start, end):.0f} %"
            bars.setdefault(items[span.item].source, []).append((100 * start, 100 * (end - start), step.number, says))
    chart = go.Figure()
    for source, rows in bars.items():
        starts, widths, steps, says = zip(*rows, strict=True)
        shade = SOURCES[source]
        chart.add_bar(
            x=widths,
            base=starts,
            y=steps,
            orientation="h",
            name=t(f"draw.source.{source}"),
            marker={"color": shade.dark if dark else shade.light, "line": {"width": 0}},
            customdata=says,
            hovertemplate="%{customdata}<extra></extra>",
        )
    chart.update_layout(
        barmode="overlay",
        height=90 + 26 * len(run),
        margin={"l": 44, "r": 12, "t": 8, "b": 40},
        xaxis={"title": t("measure.x"), "range": [0, 100], "showgrid": False},
        yaxis={"title": t("agent.step"), "autorange": "reversed", "dtick": 1, "showgrid": False},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
        bargap=0.25,
    )
    return chart
