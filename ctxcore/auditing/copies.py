"""Sentences of a shorter text that are one of the original but for a number or a negation.

What is said elsewhere is no excuse for them: judged by the words anywhere, "7 days" could become "15 days" wherever the
text knows 15 of something.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ctxcore.auditing.patterns import FOLD, HAN, NEGATION
from ctxcore.compressing.sentences import sentences
from ctxcore.retrieving.terms import STOP_WORDS, stem

ALIKE = 0.75  # share of the words of both that must be the same
RARE, MOST = 4, 32  # words that a sentence is looked up by; sentences that are looked at for each
_RUN = re.compile(r"\d+", re.ASCII)
_WORD = re.compile(rf"[A-Za-z0-9_]+|[{HAN}]", re.ASCII)
_UNSAID = STOP_WORDS - {"all", "any", "both", "each", "more", "most", "only", "same"}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence at its place. `shape`: without white space, each run of digits one sign; `runs`: these runs."""

    text: str
    start: int
    shape: str
    runs: tuple[str, ...]
    words: frozenset[str] = field(repr=False)
    length: int  # in words, negations left out

    @property
    def same(self) -> tuple[str, tuple[str, ...]]:
        return self.shape, self.runs

    def is_copy_of(self, other: Said) -> bool:
        """But for negations and words that carry nothing."""
        return (self.words, self.length) == (other.words, other.length)

    def places(self, runs: Iterable[int]) -> Iterator[int]:
        """Where these runs of digits begin in the whole text."""
        begins = [match.start() for match in _RUN.finditer(self.text.translate(FOLD))]
        return (self.start + begins[at] for at in runs)


@lru_cache(maxsize=16)
def said_in(text: str) -> tuple[Said, ...]:
    found, at = [], 0
    for sentence in sentences(text):
        plain = sentence.translate(FOLD).casefold()
        runs = tuple(_RUN.findall(plain))
        words = _words(plain)
        found.append(Said(sentence, at, "".join(_RUN.sub("#", plain).split()), runs, frozenset(words), len(words)))
        at += len(sentence)
    return tuple(found)


def fresh(own: Iterable[Said], others: Iterable[Said]) -> list[Said]:
    """Those that do not stand in the other text as they are."""
    known = {one.same for one in others}
    return [one for one in own if one.same not in known]


def renumbered(before: Sequence[Said], after: Sequence[Said]) -> Iterator[tuple[Said, tuple[int, ...]]]:
    """Sentences of `after` that are one of `before` with other numbers, and which of their runs of digits differ."""
    shapes: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for one in before:
        if one.runs:
            shapes[one.shape].append(one.runs)
    for one in fresh(after, before):
        if one.shape in shapes:
            others = (
                tuple(at for at, pair in enumerate(zip(one.runs, runs, strict=True)) if pair[0] != pair[1])
                for runs in shapes[one.shape][:MOST]
            )
            yield one, min(others, key=len)


def reworded(before: Sequence[Said], after: Sequence[Said]) -> Iterator[tuple[Said, list[Said]]]:
    """Sentences of `after` that do not stand in `before`, with those of `before` that they are nearest to."""
    by_word: dict[str, list[int]] = defaultdict(list)
    changed = fresh(after, before)
    for at, one in enumerate(before) if changed else ():
        for word in one.words:
            by_word[word].append(at)
    for one in changed:
        rare = sorted((word for word in one.words if word in by_word), key=lambda word: (len(by_word[word]), word))
        near = {at for word in rare[:RARE] for at in by_word[word][:MOST]}
        scores = {at: _likeness(one, before[at]) for at in near}
        best = max(scores.values(), default=0.0)
        if best >= ALIKE:
            yield one, [before[at] for at in sorted(near) if scores[at] == best]


def _likeness(one: Said, other: Said) -> float:
    return len(one.words & other.words) / len(one.words | other.words)


def _words(plain: str) -> list[str]:
    """Without negations and words that carry nothing; a hanzi is a word."""
    found = _WORD.findall(NEGATION.sub(" ", plain))
    return [stem(word) for word in found if word not in _UNSAID]
