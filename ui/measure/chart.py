"""A measured curve: the share found at each place with its interval, the fitted curve in its band."""

from __future__ import annotations

from ctxcore.measuring.estimate import Fit, Point
from ui.charts import draw_chart
from ui.words import t

LINE, MARK = "#5a64af", "#d99d41"


def draw(points: tuple[Point, ...], made: Fit | None, key: str) -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    if made:
        xs = list(range(101))
        low, high = [100 * a for a, _ in made.band], [100 * b for _, b in made.band]
        band = go.Scatter(x=xs + xs[::-1], y=high + low[::-1], fill="toself", mode="none", hoverinfo="skip")
        figure.add_trace(band.update(name=t("measure.band"), fillcolor="rgba(90,100,175,0.18)"))
        fitted = [100 * y for y in made.curve.points()]
        figure.add_trace(
            go.Scatter(x=xs, y=fitted, mode="lines", name=t("measure.fitted"), line={"color": LINE, "width": 2})
        )
    shares = [100 * point.share for point in points]
    error = {
        "array": [100 * (point.high - point.share) for point in points],
        "arrayminus": [100 * (point.share - point.low) for point in points],
        "color": MARK,
        "thickness": 1.5,
    }
    figure.add_trace(
        go.Scatter(
            x=[100 * point.place for point in points],
            y=shares,
            error_y=error,
            mode="markers",
            name=t("measure.found"),
            marker={"color": MARK, "size": 9},
            customdata=[(point.found, point.asked) for point in points],
            hovertemplate="%{x:.0f} %: %{customdata[0]}/%{customdata[1]}<extra></extra>",
        )
    )
    figure.update_layout(
        height=340,
        margin={"l": 48, "r": 12, "t": 8, "b": 44},
        xaxis={"title": t("measure.x"), "range": [-3, 103]},
        yaxis={"title": t("measure.y"), "range": [-3, 103]},
        legend={"orientation": "h", "y": 1.12},
    )
    draw_chart(figure, key=key)
