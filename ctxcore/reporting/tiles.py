"""The token treemap as a drawing: every item in one place at all stages, filled by what it holds now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ctxcore.item import Item
from ctxcore.reporting.markup import Markup, joined, short, tag
from ctxcore.trace import Trace

WIDTH, HEIGHT, HEAD = 1000, 420, 18
LABEL = 6.6  # units a character of a label takes
Rect = tuple[float, float, float, float]
T = TypeVar("T")


def treemap(trace: Trace, label: str, source_name: Callable[[str], str]) -> Markup:
    items = {item.id: item for state in (trace.inputs, *(s.items for s in trace.snapshots)) for item in state}
    sizes = [{item.id: item.tokens for item in snapshot.items} for snapshot in trace.snapshots]
    base = {key: max(item.tokens, *(now.get(key, 0) for now in sizes)) for key, item in items.items()}
    for item in trace.inputs:
        base[item.id] = max(base[item.id], item.tokens)
    groups: dict[str, list[Item]] = {}
    for item in items.values():
        groups.setdefault(str(item.source), []).append(item)
    whole = {source: sum(base[item.id] for item in of) for source, of in groups.items()}
    drawn = []
    for source, rect in squarified(list(groups), whole.__getitem__, (0, 0, WIDTH, HEIGHT)):
        heading = _heading(source_name(source), whole[source], rect)
        places = squarified(groups[source], lambda item: base[item.id], _below(rect))
        tiles = [_tile(item, base[item.id], [now.get(item.id, 0) for now in sizes], at) for item, at in places]
        drawn.append(tag("g", heading, *tiles, class_=f"s-{source}"))
    return tag("svg", *drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="map", role="img", aria_label=label)


def squarified(things: Sequence[T], size: Callable[[T], float], rect: Rect) -> list[tuple[T, Rect]]:
    """Squarified treemap (Bruls, Huizing, van Wijk 2000): areas as the sizes, near to squares. Empty ones go."""
    left = sorted((thing for thing in things if size(thing) > 0), key=size, reverse=True)
    rest, found = sum(map(size, left)), list[tuple[T, Rect]]()
    x, y, w, h = rect
    at = 0
    while at < len(left) and w > 0 and h > 0:
        side, scale = min(w, h), w * h / rest
        end, area, worst, first = at, 0.0, float("inf"), size(left[at]) * scale
        while end < len(left):
            last = size(left[end]) * scale
            grown = area + last
            ratio = max(side * side * first / grown**2, grown**2 / (side * side * last))
            if ratio > worst:
                break
            area, worst, end = grown, ratio, end + 1
        depth, along = area / side, 0.0
        for thing in left[at:end]:
            length = size(thing) * scale / depth
            found.append((thing, (x, y + along, depth, length) if w >= h else (x + along, y, length, depth)))
            along += length
        x, y, w, h = (x + depth, y, w - depth, h) if w >= h else (x, y + depth, w, h - depth)
        rest -= area / scale
        at = end
    return found


def _below(rect: Rect) -> Rect:
    x, y, w, h = rect
    head = HEAD if h > 2 * HEAD and w > 40 else 0
    return x + 1, y + head, max(0.0, w - 2), max(0.0, h - head - 1)


def _heading(name: str, tokens: int, rect: Rect) -> Markup:
    x, y, w, h = rect
    told = f"{name} {tokens:,}"
    if h <= 2 * HEAD or w <= 40:
        return joined()
    shown = told if len(told) * LABEL < w else name if len(name) * LABEL < w else ""
    return tag("text", shown, x=short(x + 4), y=short(y + 13), class_="head")


def _tile(item: Item, base: int, tokens: Sequence[int], rect: Rect) -> Markup:
    """Its place, what it fills of it at the last stage, and in data-t its tokens after every stage."""
    x, y, w, h = rect
    part = tokens[-1] / base if base else 0
    place = {"x": short(x), "width": short(w)}
    outline = tag("rect", class_="place", y=short(y), height=short(h), **place)
    filled = tag(
        "rect",
        class_="now",
        y=short(y + h * (1 - part)),
        height=short(h * part),
        data_y=short(y),
        data_h=short(h),
        **place,
    )
    label = item.id if len(item.id) * LABEL < w - 6 and h > 16 else ""
    name = tag("text", label, x=short(x + 4), y=short(y + 12)) if label else ""
    told = tag("title", f"{item.id} · {' → '.join(f'{n:,}' for n in tokens)}")
    return tag("g", told, outline, filled, name, data_t=" ".join(map(str, tokens)), data_b=base)
