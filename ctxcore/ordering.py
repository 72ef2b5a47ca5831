"""The fewest moves that explain a new order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def longest_rising(ranks: Sequence[int]) -> set[int]:
    """The members of one longest rising subsequence of distinct numbers (patience sorting, n log n)."""
    tops: list[int] = []
    before: dict[int, int | None] = {}
    for rank in ranks:
        at = bisect_left(tops, rank)
        before[rank] = tops[at - 1] if at else None
        tops[at : at + 1] = [rank]
    out: set[int] = set()
    last = tops[-1] if tops else None
    while last is not None:
        out.add(last)
        last = before[last]
    return out
