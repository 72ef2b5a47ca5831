"""What the charts of an agent's run and of a replay share: the same mark for the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.words import t

QUIET = {"marker": {"opacity": 1}}  # a pick on the chart does not fade the rest


def add_unmanaged(chart: Any, x: Sequence[int], y: Sequence[int], mode: str = "lines") -> None:
    """The curve of the same conversation without management. Not in the legend where there is none."""
    chart.add_scatter(
        x=x,
        y=y,
        mode=mode,
        name=t("agent.unmanaged"),
        line={"color": "#d1495b", "width": 2, "dash": "dot"},
        hovertemplate="%{y:,}<extra>" + t("agent.unmanaged") + "</extra>",
        unselected=QUIET,
        showlegend=bool(x),
    )


def add_compacted(chart: Any, x: Sequence[int], y: Sequence[float]) -> None:
    """A triangle where compaction fired."""
    chart.add_scatter(
        x=x,
        y=y,
        mode="markers",
        name=t("agent.compacted"),
        marker={"symbol": "triangle-down", "size": 10, "color": "#d9534f"},
        hoverinfo="skip",
        unselected=QUIET,
        showlegend=bool(x),
    )
