"""PNG and SVG of a chart: two quiet buttons below it; the browser makes the file."""

from __future__ import annotations

from ui.components.drawn import Mount, draw, register

_CHART_PICTURE = register("chart_picture", "", picture="painted")


def chart_picture(place: str, name: str, mount: Mount) -> None:
    """`place`: the key of the container in which the chart stands; `name`: of the file, without its ending."""
    draw(_CHART_PICTURE, {"place": place, "name": name}, mount)
