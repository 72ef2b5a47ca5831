"""Without a model: is the expected text in the payload, and what recall does its place promise? A proxy, no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcore.evaluating.evaluation import Call
from ctxcore.evaluating.questions import Question
from ctxcore.placing.expected import Found, expected_of


@dataclass(frozen=True, slots=True)
class Proxied:
    """The best of the texts that would answer, on one side. The question itself does not answer: it is left out."""

    question: Question
    kept: bool
    place: float  # 0 = first token of the payload, 1 = last
    expected: float  # recall, 0–1
    tokens: int
    fits: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    kept: float  # share of the questions whose answer is in the payload, 0–1
    expected: float  # mean expected recall, 0–1
    tokens: int  # mean of a prompt


def proxied(call: Call) -> Proxied:
    question, made = call.question, call.prompt
    wanted = question.evidence or question.expects
    found = expected_of(made.trace, wanted, without=made.trace.final.question)
    best: Found = max(found, key=lambda one: (one.kept, one.expected))
    kept = best.kept and made.fits
    return Proxied(question, kept, best.place, best.expected if kept else 0.0, made.tokens, made.fits)


def coverage(calls: Sequence[Call]) -> Coverage:
    found = [proxied(call) for call in calls]
    of = max(1, len(found))
    return Coverage(
        sum(one.kept for one in found) / of,
        sum(one.expected for one in found) / of,
        round(sum(one.tokens for one in found) / of),
    )
