"""Every item as a bar over the budget axis where it is in, with a line that is dragged in the browser itself."""

from __future__ import annotations

from collections.abc import Callable

from ctxcore.tuning.survival import Life, Survival
from ui.components.drawn import Mount, draw, register

_SURVIVAL = register(
    "survival",
    """
<div class="said"></div><div class="change"></div>
<div class="stack"><canvas class="top" tabindex="0"></canvas></div><div class="legend"></div>
""",
    picture="painted",
)
FEW = 40  # items of which those that are in nowhere have a row as well
PREVIEW, NEAR = 90, 3  # characters; how much wider than the present budget the first view is
AT = "@"  # before a number that was applied; anything else that is picked is an item's id
MORE = "≈"  # what a sketch sends, once it is drawn and nobody drags: the exact picture is wanted


def survival_chart(found: Survival, mount: Mount, *, share: bool, revision: str, is_sketch: bool = False) -> str | None:
    """`@1234` where the reader applied a budget just now, the id of an item that was clicked, or None.

    `share`: the axis in percent of the window. `revision` changes when the picture is another one.
    """
    there = [life for life in found.lives if life.spans]
    lives = sorted(there if len(found.lives) > FEW else found.lives, key=_rank)
    places = {life.item.id: at for at, life in enumerate(lives)}
    points = found.breakpoints
    data = {
        "ids": [life.item.id for life in lives],
        "label": [life.item.id for life in lives],
        "preview": [" ".join(life.item.text[: 4 * PREVIEW].split())[:PREVIEW] for life in lives],
        "source": [str(life.item.source) for life in lives],
        "tokens": [life.item.tokens for life in lives],
        "spans": [_flat(life, lambda life: life.spans) for life in lives],
        "short": [_flat(life, lambda life: life.short) for life in lives],
        "points": [point.at for point in points],
        "flips": [point.at for point in points if point.flips],
        "enters": [[places[key] for key in point.enters] for point in points],
        "leaves": [[places[key] for key in point.leaves] for point in points],
        "all": len(found.lives),
        "over": found.over,
        "start": found.start,
        "stop": found.stop,
        "now": min(max(found.now, found.start), found.stop),
        "near": near(found),
        "window": found.window,
        "share": share,
        "more": MORE if is_sketch else "",
        "revision": revision,
        "height": mount.height or 460,
    }
    return draw(_SURVIVAL, data, mount)


def _rank(life: Life) -> tuple[str, int, int]:
    """By source; in it, what enters at the smaller budget first: the picture becomes stairs."""
    never = 1 << 60
    return str(life.item.source), life.spans[-1][0] if life.spans else never, life.spans[0][0] if life.spans else never


def _flat(life: Life, which: Callable[[Life], tuple[tuple[int, int], ...]]) -> list[int]:
    return [edge for span in which(life) for edge in span]


def near(found: Survival) -> int:
    """How far the first view reaches: past the present budget, and no further than where things still change."""
    last = found.breakpoints[-1].at if found.breakpoints else found.stop
    wanted = max(int(NEAR * found.now), found.start + 1)
    return min(found.stop, max(wanted, 1) if last > wanted else max(int(1.04 * last), found.now + 1))
