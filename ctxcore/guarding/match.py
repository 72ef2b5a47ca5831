"""A place in a text where something private stands."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass

# In the order of precedence: of two that overlap, the first of these kinds is taken, then the longer one.
KINDS = ("secret", "identity", "card", "phone", "email", "word")


@dataclass(frozen=True, slots=True)
class Match:
    """`text[start:end]` is of this kind. The value itself is in no match."""

    kind: str
    start: int
    end: int


def apart(found: Iterable[Match]) -> tuple[Match, ...]:
    """Those that do not overlap, in the order of the text."""
    taken: list[Match] = []
    for match in sorted(found, key=lambda m: (KINDS.index(m.kind), m.start - m.end, m.start)):
        at = bisect(taken, match.start, key=lambda m: m.start)
        if (at == 0 or taken[at - 1].end <= match.start) and (at == len(taken) or match.end <= taken[at].start):
            taken.insert(at, match)
    return tuple(taken)
