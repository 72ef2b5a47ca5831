"""Two lines word by word; Chinese and Japanese, which write no spaces, character by character."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ctxcore.comparing.matching import steps

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|\w+|\s+|.", re.DOTALL)
SAYS = re.compile(r"\w")
# Shares of the longer and of the shorter line's characters; below both, two lines are two lines, not one that changed.
ALIKE, PART_OF = 0.3, 0.8

Pieces = tuple[str, ...]  # same, changed, same, changed …, the first of which may be empty


def word_diff(before: str, after: str) -> tuple[Pieces, Pieces] | None:
    """What each line shares with the other and what is its own, in turn; None where they have too little in common."""
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    runs = _joined([(same, old[i.start : i.stop], new[j.start : j.stop]) for same, i, j in steps(old, new)])
    alike = sum(len("".join(left)) for same, left, _ in runs if same)
    sizes = sorted((len(before), len(after)))
    if alike < ALIKE * sizes[1] and alike < PART_OF * sizes[0]:
        return None
    return _pieces([(same, "".join(left)) for same, left, _ in runs]), _pieces([(s, "".join(r)) for s, _, r in runs])


Run = tuple[bool, Sequence[str], Sequence[str]]


def _joined(runs: Sequence[Run]) -> list[Run]:
    """A blank or a comma between two changes belongs to the change: it reads as one, not as three."""
    out: list[Run] = []
    for at, (same, left, right) in enumerate(runs):
        between = 0 < at < len(runs) - 1 and not SAYS.search("".join(left))
        changed = not same or between
        if out and changed and not out[-1][0]:
            out[-1] = (False, [*out[-1][1], *left], [*out[-1][2], *right])
        else:
            out.append((not changed, left, right))
    return out


def _pieces(runs: Sequence[tuple[bool, str]]) -> Pieces:
    out = [""]
    for same, text in runs:
        if not text:
            continue
        is_same_turn = len(out) % 2 == 1
        if same == is_same_turn:
            out[-1] += text
        else:
            out.append(text)
    return tuple(out)
