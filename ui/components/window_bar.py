"""One stacked bar: what fills the window, what is kept for the answer, and what lies over the room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.components.drawn import Mount, draw, register

_WINDOW_BAR = register("window_bar", '<div class="track" role="group"></div><div class="under" aria-hidden="true"></div>')


@dataclass(frozen=True, slots=True)
class Segment:
    source: str  # or "overhead", "tools"
    tokens: int
    id: str = ""  # what a click gives; "" = the source
    label: str = ""  # "" = the source's name
    note: str = ""  # one more line for the tooltip


def window_bar(
    segments: Sequence[Segment], mount: Mount, *, window: int, reserve: int, limits: Sequence[tuple[str, int]] = ()
) -> str | None:
    """Draws the window with its free room and reserve; the id of the segment picked just now.

    `limits`: (name, tokens from the left) of small ticks.
    """
    used = sum(segment.tokens for segment in segments)
    rows = [segment for segment in segments if segment.tokens > 0]
    starts = [sum(row.tokens for row in rows[:k]) for k in range(len(rows))]
    room = max(0, window - reserve)
    if used < room:
        rows.append(Segment("free", room - used))
        starts.append(used)
    if reserve and used < window:
        rows.append(Segment("reserve", window - max(room, used)))
        starts.append(max(room, used))
    data = {
        "ids": [row.id or row.source for row in rows],
        "source": [row.source for row in rows],
        "label": [row.label for row in rows],
        "tokens": [row.tokens for row in rows],
        "note": [row.note for row in rows],
        "start": starts,
        "used": used,
        "window": max(1, window),
        "reserve": reserve,
        "limits": [list(limit) for limit in limits],
        "height": mount.height or 58,
    }
    return draw(_WINDOW_BAR, data, mount)
