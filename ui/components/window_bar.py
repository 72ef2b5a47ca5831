"""One stacked bar: what fills the window, what is kept for the answer, and what lies over the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ui.components.drawn import Mount, draw, register

_WINDOW_BAR = register(
    "window_bar",
    '<div class="whole"><div class="track" role="group"></div><div class="under" aria-hidden="true"></div></div>',
    picture="copied",
)


@dataclass(frozen=True, slots=True)
class Segment:
    source: str  # or "overhead", "tools"
    tokens: int
    id: str = ""  # what a click gives; "" = the source
    label: str = ""  # "" = the source's name
    change: str = ""  # against a baseline, beside the tokens
    note: str = ""  # one more line for the tooltip


def window_bar(
    segments: Sequence[Segment], mount: Mount, *, window: int, reserve: int, limits: Sequence[tuple[str, int]] = ()
) -> str | None:
    """Draws the window with its free room and reserve; the id of the segment picked just now.

    Segments can be picked where the mount has an `on_pick`. `limits`: (name, tokens from the left) of small ticks.
    """
    rows, starts = laid_out(segments, window, reserve)
    data = {
        "ids": [row.id or row.source for row in rows],
        "source": [row.source for row in rows],
        "label": [row.label for row in rows],
        "tokens": [row.tokens for row in rows],
        "change": [row.change for row in rows],
        "note": [row.note for row in rows],
        "start": starts,
        "used": sum(segment.tokens for segment in segments),
        "window": max(1, window),
        "reserve": reserve,
        "limits": [list(limit) for limit in limits],
        "pickable": mount.on_pick is not None,
        "height": mount.height or 58,
    }
    return draw(_WINDOW_BAR, data, mount)


def laid_out(segments: Sequence[Segment], window: int, reserve: int) -> tuple[list[Segment], list[int]]:
    """The segments that hold anything, then free room, then what is left of the reserve; and where each begins."""
    rows = [segment for segment in segments if segment.tokens > 0]
    used, room = sum(row.tokens for row in rows), max(0, window - reserve)
    free, kept_back = max(0, room - used), max(0, window - max(room, used))
    rows += [row for row in (Segment("free", free), Segment("reserve", kept_back)) if row.tokens]
    return rows, [0, *accumulate(row.tokens for row in rows)][:-1]
