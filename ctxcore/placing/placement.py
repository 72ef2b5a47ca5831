"""Where each item of a payload lies on the curve of expected recall, and which important ones lie in its trough."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

from ctxcore.item import Item
from ctxcore.placing.curves import Curve
from ctxcore.placing.importance import GUESSED, Importance
from ctxcore.placing.presets import DEFAULT, Preset, curve_at
from ctxcore.trace import Trace

MIN_GAIN = 0.01  # a move that promises less than a point is not worth a mark


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

    @property
    def expected(self) -> float:
        """Importance-weighted expected recall, 0–1."""
        whole = sum(block.importance for block in self.blocks)
        return sum(block.importance * block.here for block in self.blocks) / whole if whole else 0.0


def placement(
    trace: Trace, preset: str | Preset = DEFAULT, *, window: int | None = None, importance: Importance = GUESSED
) -> Placement:
    """The payload against a curve, at its own fill or at that of another window. Raises InputError for a preset that
    does not exist."""
    total = max(1, trace.totals.total)
    fill = total / max(1, window or trace.budget.window)
    curve = curve_at(fill, preset)
    trough = curve.trough()
    items = {item.id: item for item in trace.final.items}
    weights = importance.of(trace.final.items)
    top = _important(sorted(weights.values()))
    blocks = []
    for span in trace.spans:
        start, end = span.start / total, span.end / total
        here, best = curve.over(start, end), best_end(curve, end - start)
        marked = weights[span.item] >= top and best - here > MIN_GAIN and _inside(start, end, trough)
        blocks.append(
            Block(items[span.item], span.message, span.start, span.end, weights[span.item], here, best, marked)
        )
    return Placement(tuple(blocks), curve, fill, trough, total)


def _important(weights: Sequence[float]) -> float:
    """From which weight on an item is in the top quarter, of weights in rising order. Where so many weigh the same that
    more would be, they are the crowd, and only what weighs more stands out."""
    if not weights:
        return 0.0
    least, most = weights[int(0.75 * len(weights))], max(1, ceil(0.25 * len(weights)))
    heavier = (weight for weight in weights if weight > least)
    return least if len(weights) - bisect_left(weights, least) <= most else next(heavier, inf)


def best_end(curve: Curve, length: float) -> float:
    """Mean expected recall of a span of that length at the better end."""
    return max(curve.over(0.0, length), curve.over(1.0 - length, 1.0))


def _inside(start: float, end: float, trough: tuple[float, float]) -> bool:
    """Whether half of the span or more lies in the trough."""
    shared = min(end, trough[1]) - max(start, trough[0])
    return shared >= 0.5 * max(end - start, 1e-9)
