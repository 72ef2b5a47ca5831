"""What a shorter text must not lose: numbers, proper names, conclusions (article 3, c14), as the audit finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ctxcore.auditing import facts as audited
from ctxcore.auditing.audit import LONGEST, audit
from ctxcore.auditing.patterns import NUMERIC
from ctxcore.compressing.sentences import sentences

_CONCLUDES = re.compile(
    r"\b(?:conclu(?:de|des|ded|sion|sions)|therefore|hence|in short|we recommend|the result is|turned out|overall)\b"
    r"|结论|因此|所以|总之|综上|建议",
    re.IGNORECASE,
)
_QUOTES = '《》「」“”"'


@dataclass(frozen=True, slots=True)
class Facts:
    """What a text holds, as it is written there, in its order, each once. `names`: of persons, places, things, and
    what identifies: codes, addresses, paths."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    conclusions: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.numbers, *self.names, *self.conclusions)


def facts_of(text: str) -> Facts:
    return _sorted(audited.facts_of(text[:LONGEST]), _conclusions(text))


def lost(before: str, after: str) -> Facts:
    """The facts of `before` that `after` does not hold, however it writes them."""
    plain = " ".join(after.split())
    gone = (fact for fact in audit(before, after).lost if fact.kind != "negation")
    return _sorted(gone, (one for one in _conclusions(before) if one not in plain))


def _sorted(found: Iterable[audited.Fact], conclusions: Iterable[str]) -> Facts:
    once = {(fact.kind, fact.key): fact for fact in reversed(tuple(found))}
    facts = tuple(once.values())[::-1]
    numbers = tuple(fact.text for fact in facts if fact.kind in NUMERIC)
    names = tuple(fact.text.strip(_QUOTES) for fact in facts if fact.kind not in NUMERIC)
    return Facts(numbers, names, tuple(conclusions))


def _conclusions(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(one.split()) for one in sentences(text) if _CONCLUDES.search(one)))
