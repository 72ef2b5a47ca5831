"""What is denied or forbidden, by the words that follow; and where a shorter text says the opposite."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ctxcore.auditing.facts import Fact
from ctxcore.auditing.patterns import FOLD, HAN, NEGATION
from ctxcore.retrieving.terms import stem

WORDS, HANZI = 2, 3  # what of the words after a negation says what is denied
_WORD = re.compile(rf"[A-Za-z0-9_'-]+|[{HAN}]", re.ASCII)
_WITHIN = re.compile(r"[^.!?\n。！？；，,;:：]{0,60}")


@dataclass(frozen=True, slots=True)
class Flip:
    """`fact`: the negation, or what is no longer denied, with its place in the original (`dropped`) or in the shorter
    text (`added`)."""

    change: str  # dropped | added
    fact: Fact


@dataclass(frozen=True, slots=True)
class Denials:
    """`words`: all of the text, stemmed, between blanks; `plain`: the same without what negations precede."""

    denied: tuple[Fact, ...]
    plain: str


@lru_cache(maxsize=512)
def denials_of(text: str) -> Denials:
    smooth = text.translate(FOLD)
    found: list[Fact] = []
    kept: list[str] = []
    last = 0
    for match in NEGATION.finditer(smooth):
        if match.start() < last:
            continue
        rest = _WITHIN.match(smooth, match.end())
        words = list(_WORD.finditer(smooth, match.end(), rest.end() if rest else match.end()))
        some = words[: HANZI if words and _is_han(words[0][0]) else WORDS]
        if len(some) < 2:
            continue
        end = some[-1].end()
        key = _said(word[0] for word in some)
        found.append(Fact("negation", text[match.start() : end], match.start(), end, key))
        kept.append(smooth[last : match.start()])
        last = end
    return Denials(tuple(found), " " + _said(m[0] for m in _WORD.finditer("\n".join((*kept, smooth[last:])))) + " ")


def flips(before: str, after: str) -> tuple[Flip, ...]:
    """What one denies and the other only asserts. A text that says both is no witness."""
    old, new = denials_of(before), denials_of(after)
    return (*_flips("dropped", old, new), *_flips("added", new, old))


def _flips(change: str, denying: Denials, other: Denials) -> list[Flip]:
    denied = {fact.key for fact in other.denied}
    return [
        Flip(change, fact)
        for fact in denying.denied
        if fact.key not in denied and f" {fact.key} " in other.plain and f" {fact.key} " not in denying.plain
    ]


def _said(words: object) -> str:
    return " ".join(stem(str(word).lower()) for word in words)  # type: ignore[attr-defined]


def _is_han(word: str) -> bool:
    return not word.isascii()
