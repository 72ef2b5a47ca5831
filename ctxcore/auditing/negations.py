"""What is denied or forbidden, by the words that follow; and where a shorter text says the opposite."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ctxcore.auditing.copies import Said, reworded, said_in
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
    matches = list(NEGATION.finditer(smooth))
    for match, after in zip(matches, [*(one.start() for one in matches[1:]), len(smooth)], strict=False):
        rest = _WITHIN.match(smooth, match.end(), after)
        words = list(_WORD.finditer(smooth, match.end(), rest.end() if rest else match.end()))
        some = words[: HANZI if words and _is_han(words[0][0]) else WORDS]
        if not some:
            continue
        end = some[-1].end()
        key = _said(word[0] for word in some)
        found.append(Fact("negation", text[match.start() : end], match.start(), end, key))
        kept.append(smooth[last : match.start()])
        last = end
    return Denials(tuple(found), " " + _said(m[0] for m in _WORD.finditer("\n".join((*kept, smooth[last:])))) + " ")


def flips(before: str, after: str) -> tuple[Flip, ...]:
    """What one denies and the other only asserts. A text that says both is no witness, unless a sentence of it is one
    of the other's but for the negation."""
    old, new = denials_of(before), denials_of(after)
    found = (*_flips("dropped", old, new), *_flips("added", new, old), *_turned(before, after))
    return tuple({(flip.change, flip.fact.key): flip for flip in reversed(found)}.values())[::-1]


def _flips(change: str, denying: Denials, other: Denials, least: int = WORDS) -> list[Flip]:
    denied = frozenset(start for fact in other.denied for start in _starts(fact.key))
    return [
        Flip(change, fact)
        for fact in denying.denied
        if denied.isdisjoint(_starts(fact.key))
        and fact.key.count(" ") >= least - 1
        and f" {fact.key} " in other.plain
        and f" {fact.key} " not in denying.plain
    ]


def _turned(before: str, after: str) -> Iterator[Flip]:
    """Flips of single sentences; where several of the original are as near, all must be turned."""
    if NEGATION.search(before) is None and NEGATION.search(after) is None:
        return
    for said, sources in reworded(said_in(before), said_in(after)):
        new = denials_of(said.text)
        turned = []
        for source in sources:
            old, is_copy = denials_of(source.text), said.is_copy_of(source)
            dropped = _more("dropped", old, new, is_copy)
            added = _more("added", new, old, is_copy)
            turned.append([_moved(flip, source) for flip in dropped] + [_moved(flip, said) for flip in added])
        if all(turned):
            yield from turned[0]


def _more(change: str, denying: Denials, other: Denials, is_copy: bool) -> list[Flip]:
    """Where one of two sentences denies more often. In a copy each negation counts, whatever else it says."""
    if len(denying.denied) <= len(other.denied):
        return []
    if not is_copy:
        return _flips(change, denying, other, least=1)
    left = Counter(fact.key for fact in denying.denied) - Counter(fact.key for fact in other.denied)
    return [Flip(change, fact) for fact in denying.denied if fact.key in left]


def _moved(flip: Flip, said: Said) -> Flip:
    fact = flip.fact
    return replace(flip, fact=replace(fact, start=fact.start + said.start, end=fact.end + said.start))


def _starts(key: str) -> set[str]:
    """The key, and what a text that is cut behind its second word would make of it."""
    return {key, " ".join(key.split(" ")[:2])}


def _said(words: object) -> str:
    return " ".join(stem(str(word).lower()) for word in words)  # type: ignore[attr-defined]


def _is_han(word: str) -> bool:
    return not word.isascii()
