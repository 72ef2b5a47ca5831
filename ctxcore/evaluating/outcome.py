"""What an evaluation comes to: pairs, shares with their intervals, the test, and what each right answer cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ctxcore.counting.models import model as model_called
from ctxcore.evaluating.evaluation import Answer
from ctxcore.evaluating.statistics import FEW, bootstrap, mcnemar, wilson

Pair = tuple[Answer, Answer]


@dataclass(frozen=True, slots=True)
class Side:
    right: int
    share: float
    low: float  # Wilson, 95 %
    high: float
    prompt_tokens: int
    completion_tokens: int
    seconds: float  # mean of a reply
    usd: float | None

    @property
    def right_per_usd(self) -> float | None:
        return self.right / self.usd if self.usd else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of the questions that both sides have an answer to. Differences are second − first."""

    pairs: tuple[Pair, ...]
    sides: tuple[Side, Side]
    both: int
    first_only: int
    second_only: int
    neither: int
    p: float  # McNemar exact, two-sided
    low: float  # bootstrap of the difference, 95 %
    high: float

    @property
    def difference(self) -> float:
        return (self.second_only - self.first_only) / len(self.pairs) if self.pairs else 0.0

    @property
    def is_few(self) -> bool:
        return len(self.pairs) < FEW

    @property
    def is_shown(self) -> bool:
        """Whether the difference is more than chance would make, at 5 %."""
        return self.p < 0.05


def outcome(answers: Iterable[Answer], model: str) -> Outcome:
    return _of(_paired(answers), model)


def strata(found: Outcome, model: str) -> dict[str, Outcome]:
    """Apart: questions where everything fitted on both sides, and those where one side overflowed."""
    fits = [pair for pair in found.pairs if not any(one.overflowed for one in pair)]
    rest = [pair for pair in found.pairs if any(one.overflowed for one in pair)]
    return {name: _of(pairs, model) for name, pairs in (("fits", fits), ("overflows", rest)) if pairs}


def _paired(answers: Iterable[Answer]) -> list[Pair]:
    by: dict[str, dict[int, Answer]] = {}
    for answer in answers:
        if answer.counts:
            by.setdefault(answer.question.id, {})[answer.arm] = answer
    return [(sides[0], sides[1]) for sides in by.values() if len(sides) == 2]


def _of(pairs: Sequence[Pair], model: str) -> Outcome:
    found = [(first.right, second.right) for first, second in pairs]
    b, c = found.count((True, False)), found.count((False, True))
    low, high = bootstrap(b, c, len(pairs))
    sides = _side([pair[0] for pair in pairs], model), _side([pair[1] for pair in pairs], model)
    both, neither = found.count((True, True)), found.count((False, False))
    return Outcome(tuple(pairs), sides, both, b, c, neither, mcnemar(b, c), low, high)


def _side(answers: Sequence[Answer], model: str) -> Side:
    right, price = sum(one.right for one in answers), model_called(model)
    asked = [one for one in answers if one.seconds]
    prompts, said = sum(one.prompt_tokens for one in answers), sum(one.completion_tokens for one in answers)
    known = price.input_price is not None and price.output_price is not None
    usd = (prompts * (price.input_price or 0) + said * (price.output_price or 0)) / 1e6 if known else None
    seconds = sum(one.seconds for one in asked) / len(asked) if asked else 0.0
    share = right / len(answers) if answers else 0.0
    return Side(right, share, *wilson(right, len(answers)), prompts, said, seconds, usd)
