"""Where each item of a payload lies on the curve of expected recall, and which important ones lie in its trough."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcore.item import Item, Source
from ctxcore.placing.curves import Curve, curve_at
from ctxcore.trace import Trace

MIN_GAIN = 0.01  # a move that promises less than a point is not worth a mark

# How much a fact of each source is taken to matter, where nobody says: 3 = the answer hangs on it.
PRIOR = {
    Source.SYSTEM: 3.0,
    Source.USER: 3.0,
    Source.STATE: 3.0,
    Source.NOTE: 2.0,
    Source.MEMORY: 2.0,
    Source.PROFILE: 1.0,
    Source.DOC: 2.0,
    Source.TOOL: 1.0,
    Source.SUMMARY: 1.0,
}


@dataclass(frozen=True, slots=True)
class Block:
    """One item in the payload: token offsets, importance, mean expected recall here and at the better end."""

    item: Item
    message: int
    start: int
    end: int
    importance: float
    here: float
    best: float
    marked: bool  # important, mostly in the trough, and better off elsewhere


@dataclass(frozen=True, slots=True)
class Placement:
    blocks: tuple[Block, ...]
    curve: Curve
    fill: float  # payload / window
    trough: tuple[float, float]  # as shares of the payload
    total: int  # tokens


def placement(trace: Trace) -> Placement:
    """The payload against the curve at its own fill."""
    total = max(1, trace.totals.total)
    fill = total / max(1, trace.budget.window)
    curve = curve_at(fill)
    trough = curve.trough()
    items = {item.id: item for item in trace.final.items}
    newest = max((item.turn for item in items.values()), default=0)
    weights = {key: importance(item, newest) for key, item in items.items()}
    top = sorted(weights.values())[int(0.75 * len(weights))] if weights else 0.0
    blocks = []
    for span in trace.spans:
        here, best = curve.over(span.start / total, span.end / total), _best(curve, (span.end - span.start) / total)
        marked = (
            weights[span.item] >= top
            and best - here > MIN_GAIN
            and _inside(span.start / total, span.end / total, trough)
        )
        blocks.append(
            Block(items[span.item], span.message, span.start, span.end, weights[span.item], here, best, marked)
        )
    return Placement(tuple(blocks), curve, fill, trough, total)


def importance(item: Item, newest: int) -> float:
    """0–3: pins and must-have sources first, documents by relevance, conversation by recency."""
    if item.pinned:
        return 3.0
    if item.source is Source.CONVERSATION or item.is_media:
        return 0.2 + 0.8 * (item.turn / newest if newest else 1.0)
    weight = PRIOR.get(item.source, 1.0)
    return weight * (0.25 + 0.75 * item.relevance) if item.source is Source.DOC else weight


def _best(curve: Curve, length: float) -> float:
    return max(curve.over(0.0, length), curve.over(1.0 - length, 1.0))


def _inside(start: float, end: float, trough: tuple[float, float]) -> bool:
    """Whether half of the span or more lies in the trough."""
    shared = min(end, trough[1]) - max(start, trough[0])
    return shared >= 0.5 * max(end - start, 1e-9)
