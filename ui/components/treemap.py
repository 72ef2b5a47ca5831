"""The token treemap: source → item → part, the whole area the window, every tile in one place at all stages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ui.components.drawn import Mount, draw, register

Colour = Literal["source", "fate", "relevance", "change"]

_TREEMAP = register(
    "treemap",
    """
<div class="bar"><nav class="crumbs"></nav><span class="note"></span><button class="toggle"></button></div>
<div class="stack"><canvas class="base"></canvas><canvas class="top" tabindex="0" role="application"></canvas></div>
<div class="legend"></div>
""",
    picture="painted",
)


@dataclass(frozen=True, slots=True)
class Tile:
    id: str
    group: str  # a source, or "overhead", "tools", "free", "reserve"
    tokens: int  # now; 0 draws a ghost
    base: int = 0  # at its largest over all stages: its place; 0 = as now
    label: str = ""  # "" = the group's name
    fate: str = "kept"  # an action of the ledger
    change: str = "same"  # added, removed, same, shrunk, grown or moved
    relevance: float = 1.0  # 0–1
    parent: str = ""  # a part names its item
    note: str = ""  # one more line for the tooltip, such as the reason


@dataclass(frozen=True, slots=True)
class Window:
    """What the window holds at one stage, and over all stages, in tokens."""

    size: int
    reserve: int
    tools: int
    overhead: int
    used: int  # by items, at this stage
    places: int  # sum of the items' bases
    least: int  # used by items at the leanest stage


def room_tiles(window: Window) -> tuple[Tile, ...]:
    """The tiles beside the items. They and the items' places add up to the window, or to more where it overflows."""
    fixed = window.reserve + window.tools + window.overhead
    left, most = window.size - fixed - window.places, window.size - fixed - window.least
    sizes = {
        "overhead": (window.overhead, window.overhead),
        "tools": (window.tools, window.tools),
        "free": (max(0, window.size - fixed - window.used), max(0, left if left > 0 else most)),
        "reserve": (window.reserve, window.reserve),
    }
    return tuple(Tile(name, name, now, base) for name, (now, base) in sizes.items() if base > 0)


def treemap(tiles: Sequence[Tile], mount: Mount, *, window: int, colour: Colour = "source") -> str | None:
    """Draws the tiles; the id of the item picked just now. `window` is the size that percentages refer to."""
    data = {**columns(tiles), "window": max(1, window), "colour": colour, "height": mount.height or 440}
    return draw(_TREEMAP, data, mount)


def columns(tiles: Iterable[Tile]) -> dict[str, list[str] | list[int] | list[float]]:
    rows = tuple(tiles)
    return {
        "ids": [tile.id for tile in rows],
        "label": [tile.label for tile in rows],
        "group": [tile.group for tile in rows],
        "tokens": [tile.tokens for tile in rows],
        "base": [max(tile.base, tile.tokens) if tile.group != "free" else tile.base for tile in rows],
        "fate": [tile.fate for tile in rows],
        "change": [tile.change for tile in rows],
        "relevance": [round(min(1.0, max(0.0, tile.relevance)), 3) for tile in rows],
        "parent": [tile.parent for tile in rows],
        "note": [tile.note for tile in rows],
    }
