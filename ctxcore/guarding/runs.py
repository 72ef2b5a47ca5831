"""Runs of digits as people write them, `138 0013 8000` or `(212) 736-5000`, and the numbers that a run is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_RUN = re.compile(
    r"(?<![\w.,/-])(?:0\d{1,5} ?/ ?\d+(?:[ -]\d+)*(?![/-]\w)|\d+(?:[ ().（）-]{1,2}\d+)*)(?!\w)(?![.,-]\d)", re.ASCII
)  # an area code may end with a slash: `030/901820`
_GROUP = re.compile(r"\d+")
_MOST = 7  # groups of one number


def numbers(text: str, least: int, most: int, is_one: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """From where to where `is_one` says that a number of `least` to `most` digits stands: of each place the longest.

    Two numbers with a blank between them are one run: a number may begin and end at a blank, and at the run's ends.
    """
    for run in _RUN.finditer(text):
        groups = [(run.start() + group.start(), run.start() + group.end()) for group in _GROUP.finditer(run[0])]
        at = 0
        while at < len(groups):
            end = next(iter(_ends(text, groups, at, least, most, is_one)), None)
            if end is not None:
                yield groups[at][0], groups[end][1]
            at = at + 1 if end is None else end + 1


def _ends(
    text: str, groups: list[tuple[int, int]], at: int, least: int, most: int, is_one: Callable[[int, int], bool]
) -> Iterator[int]:
    if at and " " not in text[groups[at - 1][1] : groups[at][0]]:
        return
    sizes, total = [], 0
    for start, end in groups[at : at + _MOST]:
        total += end - start
        sizes.append(total)
    for place in range(len(sizes) - 1, -1, -1):
        last = at + place
        is_border = last + 1 == len(groups) or " " in text[groups[last][1] : groups[last + 1][0]]
        if is_border and least <= sizes[place] <= most and is_one(groups[at][0], groups[last][1]):
            yield last
