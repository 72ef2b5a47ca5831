"""Expected recall of a whole payload, without asking a model: a proxy out of what is kept and where it lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxcore.explaining.why import holds
from ctxcore.placing.importance import GUESSED
from ctxcore.placing.placement import Block, Placement, placement
from ctxcore.trace import Trace


@dataclass(frozen=True, slots=True)
class Found:
    """A text of which `kept` says whether the payload holds it verbatim; `expected` is 0 where it does not."""

    text: str
    kept: bool
    place: float  # 0 = first token of the payload, 1 = last
    expected: float  # recall, 0–1


def expected_of(
    trace: Trace, texts: Iterable[str], placed: Placement | None = None, *, without: str = ""
) -> tuple[Found, ...]:
    """Each text at the best of its places; `without`: the id of an item that does not count."""
    lying = placed or placement(trace)
    blocks = [block for block in lying.blocks if block.item.id != without]
    return tuple(_found(lying, blocks, text) for text in texts)


def expected_recall(trace: Trace, facts: Sequence[str] = (), placed: Placement | None = None) -> float:
    """0–1: mean over the facts that matter; where nobody names any, over all that came in, weighted by how much it
    is taken to matter, a shortened item by the share of its tokens that is left. `Placement.expected` is another
    measure: of what lies in the payload alone."""
    lying = placed or placement(trace)
    if facts:
        found = expected_of(trace, facts, lying)
        return sum(one.expected for one in found) / len(found)
    weights = GUESSED.of(trace.inputs)
    sizes = {item.id: max(1, item.tokens) for item in trace.inputs}
    blocks = [block for block in lying.blocks if block.item.id in weights]
    kept = sum(weights[b.item.id] * min(1.0, b.item.tokens / sizes[b.item.id]) * b.here for b in blocks)
    return kept / total if (total := sum(weights.values())) else 0.0


def _found(lying: Placement, blocks: Sequence[Block], text: str) -> Found:
    total = max(1, lying.total)
    holding = [block for block in blocks if holds(block.item.text, text)]
    best = max(holding, key=lambda block: _at(lying, block, text)[1], default=None)
    place, recall = _at(lying, best, text) if best else (0.0, 0.0)
    return Found(text, best is not None, min(1.0, place / total), recall)


def _at(lying: Placement, block: Block, text: str) -> tuple[float, float]:
    """Where in the payload the text lies, in tokens, and what that promises: of a long item, its place inside it."""
    whole = block.item.text
    at = max(0, whole.lower().find(text.lower())) + len(text) / 2
    place = block.start + (block.end - block.start) * min(1.0, at / max(1, len(whole)))
    return place, lying.curve.at(min(1.0, place / max(1, lying.total)))
