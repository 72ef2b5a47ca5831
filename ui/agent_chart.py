"""The window filling up: layers stacked step by step, the line of forced compaction, the unmanaged task beside it."""

from __future__ import annotations

from typing import Any

from ctxcore.agent.step import Step
from ctxcore.layers import layer_of
from ui.words import t

LAYERS = {"persistent": "#5a64af", "recall": "#359d79", "working": "#d99d41", "overhead": "#9aa2b1"}
COMPACTING = {"force-compacted", "rounds-summarized", "observation"}


def figure(managed: tuple[Step, ...], unmanaged: tuple[Step, ...], picked: int) -> Any:
    """Plotly is loaded by the pages that draw with it, and by no other."""
    import plotly.graph_objects as go

    window = managed[0].trace.budget.window
    chart = go.Figure()
    for layer, colour in LAYERS.items():
        heights = [_tokens(step, layer) for step in managed]
        edge = ["#111827" if step.number == picked else "rgba(0,0,0,0)" for step in managed]
        chart.add_bar(
            x=[s.number for s in managed],
            y=heights,
            name=t(f"layer.{layer}"),
            marker={
                "color": colour,
                "line": {"width": [2 if s.number == picked else 0 for s in managed], "color": edge},
            },
            hovertemplate="%{y:,}<extra>" + t(f"layer.{layer}") + "</extra>",
        )
    chart.add_scatter(
        x=[s.number for s in unmanaged],
        y=[s.predicted for s in unmanaged],
        mode="lines+markers",
        name=t("agent.unmanaged"),
        line={"color": "#b83a4b", "width": 2, "dash": "dot"},
    )
    marked = [step for step in managed if compacted(step)]
    chart.add_scatter(
        x=[s.number for s in marked],
        y=[s.predicted + 0.03 * window for s in marked],
        mode="markers",
        name=t("agent.compacted"),
        marker={"symbol": "triangle-down", "size": 10, "color": "#d9772b"},
    )
    for share, key in ((1.0, "agent.window_line"), (0.85, "agent.force_line")):
        chart.add_hline(
            y=share * window,
            line={"width": 1, "dash": "dash", "color": "#6c7686"},
            annotation_text=t(key),
            annotation_position="top left",
        )
    chart.update_layout(
        barmode="stack",
        height=330,
        margin={"t": 24, "b": 36, "l": 8, "r": 8},
        legend={"orientation": "h", "y": -0.2},
        xaxis={"title": t("agent.step_axis"), "dtick": 1, "fixedrange": True},
        yaxis={"title": t("agent.token_axis"), "fixedrange": True},
        bargap=0.35,
        clickmode="event+select",
    )
    return chart


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
