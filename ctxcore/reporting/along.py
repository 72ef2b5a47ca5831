"""The payload along its tokens as a drawing: what lies where, against the recall that each place can expect."""

from __future__ import annotations

from ctxcore.placing.placement import Placement
from ctxcore.reporting.markup import Markup, short, tag
from ctxcore.trace import Trace

WIDTH, PLOT, STRIP = 1000, 150, 46
TOP, GAP = 12, 16


def along(trace: Trace, found: Placement, label: str) -> Markup:
    def x(token: float) -> float:
        return WIDTH * token / found.total

    points = found.curve.points()
    curve = " ".join(f"{short(WIDTH * at / (len(points) - 1))},{short(_y(value))}" for at, value in enumerate(points))
    low, high = (WIDTH * share for share in found.trough)
    trough = tag("rect", x=short(low), y=TOP, width=short(high - low), height=PLOT + GAP + STRIP, class_="trough")
    lines = [
        part
        for share in (0.25, 0.5, 0.75, 1.0)
        for part in (
            tag("line", x1=0, x2=WIDTH, y1=short(_y(share)), y2=short(_y(share)), class_="grid"),
            tag("text", f"{share:.0%}", x=2, y=short(_y(share) - 2), class_="quiet"),
        )
    ]
    y = TOP + PLOT + GAP
    tools = [_block("tools", "tools", 0, x(trace.totals.tools), y, "")] if trace.totals.tools else []
    blocks = [
        _block(
            b.item.id,
            str(b.item.source),
            x(b.start),
            x(b.end - b.start),
            y,
            f" · {b.start:,}–{b.end:,} · {b.here:.0%}" + (f" (▲ {b.best:.0%})" if b.marked else ""),
        )
        for b in found.blocks
    ]
    flags = [
        tag("text", "▲", x=short(x((b.start + b.end) / 2)), y=y - 3, class_="flag") for b in found.blocks if b.marked
    ]
    height = y + STRIP + 2
    drawn = (trough, *lines, tag("polyline", points=curve, class_="curve"), *tools, *blocks, *flags)
    return tag("svg", *drawn, viewBox=f"0 0 {WIDTH} {height}", class_="along", role="img", aria_label=label)


def _y(recall: float) -> float:
    return TOP + PLOT * (1 - recall)


def _block(name: str, source: str, x: float, width: float, y: float, more: str) -> Markup:
    told = tag("title", f"{name}{more}")
    return tag("rect", told, x=short(x), y=short(y), width=short(max(0.6, width)), height=STRIP, class_=f"s-{source}")
