"""Items that fared otherwise in two runs: a row each, with what became of it on either side and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from ui.components.drawn import Mount, draw, register

_FLIP_LIST = register(
    "flip_list", '<div class="head" aria-hidden="true"></div><div class="list" role="group" tabindex="0"></div>'
)
MOST = 1_000  # rows that are drawn


@dataclass(frozen=True, slots=True)
class FlipRow:
    """`first` and `second`: end, tokens, stage and rule, sentence; an end "absent" where the side has no such item."""

    id: str
    source: str
    tokens: int
    preview: str
    first: tuple[str, int, str, str]
    second: tuple[str, int, str, str]


def flip_list(rows: Sequence[FlipRow], mount: Mount, *, first: str, second: str) -> str | None:
    """Draws the rows; the id of the item picked just now. `first`, `second`: the sides' names."""
    data = {
        "rows": [astuple(row) for row in rows[:MOST]],
        "left_out": max(0, len(rows) - MOST),
        "names": [first, second],
        "height": mount.height or 520,
    }
    return draw(_FLIP_LIST, data, mount)
