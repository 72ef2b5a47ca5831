"""The window filling up: layers stacked step by step, the line of forced compaction, the unmanaged task beside it."""

from __future__ import annotations

from typing import Any

from ctxcore.agent.step import Step
from ctxcore.layers import layer_of
from ui.agent.chart_marks import QUIET, add_compacted, add_unmanaged
from ui.words import t

LAYERS = {"persistent": "#5a64af", "recall": "#359d79", "working": "#d99d41", "overhead": "#9aa2b1"}
COMPACTING = {"force-compacted", "rounds-summarized", "observation"}
UNMANAGED = len(LAYERS)  # number of its curve


def figure(managed: tuple[Step, ...], unmanaged: tuple[Step, ...], picked: int) -> Any:
    """One of the runs may be empty. `picked`: the step of the managed one that is looked at, 0 for none. Plotly is
    loaded by the pages that draw with it, and by no other."""
    import plotly.graph_objects as go

    window = (managed or unmanaged)[0].trace.budget.window
    chart = go.Figure()
    _add_layers(chart, managed)
    add_unmanaged(chart, [s.number for s in unmanaged], [s.predicted for s in unmanaged], "lines+markers")
    marked = [step for step in managed if compacted(step)]
    add_compacted(chart, [s.number for s in marked], [s.predicted + 0.04 * window for s in marked])
    _add_lines(chart, window)
    if picked:
        chart.add_vrect(picked - 0.5, picked + 0.5, fillcolor="#6c7ae0", opacity=0.16, line_width=0, layer="below")
    _lay_out(chart, max(window, *(step.predicted for step in (*managed, *unmanaged))), len(managed or unmanaged))
    return chart


def _add_layers(chart: Any, managed: tuple[Step, ...]) -> None:
    for layer, colour in LAYERS.items():
        chart.add_bar(
            x=[s.number for s in managed],
            y=[_tokens(s, layer) for s in managed],
            name=t(f"layer.{layer}"),
            marker={"color": colour, "line": {"width": 0}},
            hovertemplate="%{y:,}<extra>" + t(f"layer.{layer}") + "</extra>",
            unselected=QUIET,
            showlegend=bool(managed),
        )


def _add_lines(chart: Any, window: int) -> None:
    for share, key in ((1.0, "agent.window_line"), (0.85, "agent.force_line")):
        chart.add_hline(
            y=share * window,
            line={"width": 1, "dash": "dash", "color": "#7d8798"},
            annotation_text=t(key),
            annotation_position="top left",
            annotation_font_size=11,
        )


def _lay_out(chart: Any, top: int, steps: int) -> None:
    """The legend stands above: below, it would lie on the axis where the page is narrow."""
    chart.update_layout(
        barmode="stack",
        height=360,
        margin={"t": 64, "b": 40, "l": 8, "r": 8},
        legend={"orientation": "h", "y": 1.03, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={"title": t("agent.step_axis"), "dtick": 1, "fixedrange": True, "range": [0.4, max(steps, 10) + 0.6]},
        yaxis={"title": t("agent.token_axis"), "fixedrange": True, "tickformat": ",", "range": [0, 1.08 * top]},
        bargap=0.35,
        clickmode="event+select",
    )


def compacted(step: Step) -> bool:
    """Whether anything of this step's context was summarised or forced out."""
    return any(d.rule in COMPACTING for snapshot in step.trace.snapshots for d in snapshot.decisions) or any(
        problem.rule in COMPACTING for snapshot in step.trace.snapshots for problem in snapshot.problems
    )


def _tokens(step: Step, layer: str) -> int:
    totals, items = step.trace.totals, step.trace.final.items
    if layer == "overhead":
        return max(0, totals.overhead) + totals.tools
    return sum(item.tokens for item in items if layer_of(item) == layer)
