"""How good a payload is, without asking a model: what it covers, how faithfully and where, less repetition and cost.

A proxy, to compare splits of one scenario by; no measurement of answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcore.agent.fidelity import facts_of, lost
from ctxcore.item import Item
from ctxcore.placing.importance import GUESSED, Importance
from ctxcore.placing.presets import curve_at
from ctxcore.trace import Trace

SHOWN = 3  # digits behind the point
SHINGLE = 5  # words in a row; characters of texts without spaces


@dataclass(frozen=True)
class Objective:
    """J = recall(fill) × (coverage − `redundancy` × repeated) − `tokens` × fill.

    An item weighs what `importance` says. Where that names facts, an item that holds none of them weighs its guess
    times `guess`: with 0, the facts alone count.
    """

    redundancy: float = 0.1
    tokens: float = 0.05
    guess: float = 0.0
    importance: Importance = GUESSED

    @property
    def facts(self) -> tuple[str, ...]:
        return self.importance.facts

    def weights(self, items: Sequence[Item]) -> dict[str, float]:
        """Item → weight."""
        found = self.importance.of(items)
        if not self.facts:
            return found
        named = {item.id for item in items if item.pinned or any(fact in item.text for fact in self.facts)}
        return {key: weight if key in named else weight * self.guess for key, weight in found.items()}


@dataclass(frozen=True, slots=True)
class Score:
    """`total` is J, the value kept; `coverage` is of all weight, with fidelity and place in it; `lost` are facts that
    are not there."""

    total: float
    coverage: float
    repeated: float
    fill: float
    lost: tuple[str, ...]

    def beats(self, other: Score) -> bool:
        """In the three digits that are shown: more value kept, no less covered, and no other fact lost."""
        more = round(self.total, SHOWN) > round(other.total, SHOWN)
        return more and round(self.coverage, SHOWN) >= round(other.coverage, SHOWN) and {*self.lost} <= {*other.lost}


def score(trace: Trace, objective: Objective) -> Score:
    """J of a payload as it stands, each item at the recall that its place can expect."""
    inputs = {item.id: item for item in trace.inputs}
    weights = objective.weights(trace.inputs)
    size = max(1, trace.totals.total)
    fill = size / max(1, trace.budget.window)
    curve = curve_at(fill)
    places = {span.item: curve.over(span.start / size, span.end / size) for span in trace.spans}
    kept = [item for item in trace.final.items if item.id in inputs]
    reached = sum(weights[i.id] * _fidelity(inputs[i.id], i) * places.get(i.id, curve.over(0.0, 1.0)) for i in kept)
    coverage = reached / (sum(weights.values()) or 1.0)
    again = sum(repeats(kept).values()) / max(1, sum(item.tokens for item in kept))
    total = coverage - curve.over(0.0, 1.0) * objective.redundancy * again - objective.tokens * fill
    gone = tuple(text for text in objective.facts if not any(text in item.text for item in trace.final.items))
    return Score(total, coverage, again, fill, gone)


def _fidelity(before: Item, after: Item) -> float:
    """The share of its facts that a shortened item still holds; 1 for one that nothing touched."""
    if before.text == after.text:
        return 1.0
    had = len(facts_of(before.text).all)
    return 1 - len(lost(before.text, after.text).all) / had if had else after.tokens / max(1, before.tokens)


def repeats(items: Sequence[Item]) -> dict[str, float]:
    """Item → how many of its tokens say again, five words in a row, what an item before it says."""
    seen: set[int] = set()
    out = {}
    for item in items:
        own = shingles(item.text)
        out[item.id] = item.tokens * len(own & seen) / len(own) if own else 0.0
        seen |= own
    return out


def shingles(text: str) -> set[int]:
    words: Sequence[str] = text.split()
    if len(text) > 10 * len(words):  # written without spaces
        words = text
    return {hash(tuple(words[at : at + SHINGLE])) for at in range(len(words) - SHINGLE + 1)}
