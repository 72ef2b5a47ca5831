"""What will be asked: each place at each length, by a Latin square of needles; and what that costs, before it is spent.

Haystack and distractors of a length stay the same for all probes, so that a server's cache serves all in front of the
needle, and only the place of the needle that is asked for differs.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ctxcore.errors import InputError
from ctxcore.measuring.needles import ASKS, NAMES, SAYS, filler, haystack, number_of, with_needles
from ctxcore.services import Counter

JITTER = 0.02  # of the payload: so far a needle may lie from its place, so that no sentence boundary is special
FRAME = 8  # tokens of a message around its content
LONGEST_REPLY = 16  # tokens


@dataclass(frozen=True)
class Plan:
    """`lengths` in tokens of the whole prompt; `trials` questions for each place, length and kind of needle."""

    lengths: tuple[int, ...] = (1_000,)
    places: int = 5
    trials: int = 10
    kinds: tuple[str, ...] = ("literal",)
    distractors: int = 8
    seed: int = 1

    def __post_init__(self) -> None:
        if not self.lengths or min(self.lengths) < 200:
            raise InputError("needle-short")
        if not 2 <= self.places <= 21 or self.trials < 1:
            raise InputError("needle-places")
        if unknown := [kind for kind in self.kinds if kind not in SAYS] or not self.kinds:
            raise InputError("needle-kind", kind=str(unknown), there=list(SAYS))
        if not 0 <= self.distractors < len(NAMES):
            raise InputError("needle-distractors", most=len(NAMES) - 1)

    @cached_property
    def at(self) -> tuple[float, ...]:
        return tuple(n / (self.places - 1) for n in range(self.places))

    @property
    def calls(self) -> int:
        return len(self.lengths) * self.places * self.trials * len(self.kinds)

    @property
    def tokens(self) -> int:
        """Of all prompts, about."""
        return sum(self.lengths) * self.places * self.trials * len(self.kinds)

    def cost(self, input_price: float | None) -> float | None:
        """USD at a price for a million tokens, where nothing is cached; None where the price is not known."""
        return None if input_price is None else self.tokens / 1e6 * input_price


@dataclass(frozen=True)
class Probe:
    key: str  # of its prompt: what was answered once is not asked again
    tokens: int  # the length it stands for
    place: float
    kind: str
    name: str
    number: int
    others: tuple[int, ...]  # numbers of the distractors
    messages: tuple[Mapping[str, Any], ...]


def probes(plan: Plan, counter: Counter, sentences: Sequence[str] = ()) -> Iterator[Probe]:
    """In such an order that each round of trials covers all places: stopped early, it is still a curve."""
    texts = tuple(sentences) or tuple(filler(plan.seed))
    sizes = [counter.count(f"{text} ") for text in texts]
    needle = max(counter.count(SAYS[kind].format(name="Cadiz", number=48_213)) + 1 for kind in plan.kinds)
    beside = FRAME + counter.count(ASKS) + (plan.distractors + 1) * needle
    for trial in range(plan.trials):
        for tokens in plan.lengths:
            hay = haystack(texts, tokens - beside, sizes)
            for kind in plan.kinds:
                for at, place in enumerate(plan.at):
                    yield _probe(plan, hay, tokens, kind, trial, at, place)


def _probe(plan: Plan, hay: Sequence[str], tokens: int, kind: str, trial: int, at: int, place: float) -> Probe:
    """Trial and place shift the name by one each: every needle comes to lie at every place (a Latin square). Its number
    is another one in each trial: no prompt is asked twice."""
    apart = NAMES[: plan.distractors]
    free = NAMES[plan.distractors :][: plan.places]
    name = free[(trial + at) % len(free)]
    draw = random.Random(f"{plan.seed}:{tokens}:{kind}:{trial}:{at}")
    shifted = min(1.0, max(0.0, place + draw.uniform(-JITTER, JITTER))) if 0 < place < 1 else place
    number = number_of(name, f"{plan.seed}:{trial}")
    others = tuple(number_of(other, f"{plan.seed}") for other in apart)
    needles = [
        ((n + 0.5) / len(apart), SAYS[kind].format(name=other, number=value))
        for n, (other, value) in enumerate(zip(apart, others, strict=True))
    ]
    needles.append((shifted, SAYS[kind].format(name=name, number=number)))
    content = f"{with_needles(hay, needles)}\n\n{ASKS.format(name=name)}"
    messages = ({"role": "user", "content": content},)
    key = hashlib.sha256(content.encode()).hexdigest()[:24]
    return Probe(key, tokens, place, kind, name, number, others, messages)
