"""The payload along its tokens, against the recall that each place can expect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from json import loads

from ui.components.drawn import Mount, draw, register

_LAYOUT_MAP = register(
    "layout_map",
    """
<div class="stack"><canvas class="base"></canvas><canvas class="top" tabindex="0" role="application"></canvas></div>
<div class="legend"></div>
""",
    picture="painted",
)


@dataclass(frozen=True, slots=True)
class Block:
    id: str
    source: str  # or "overhead", "tools"
    start: int  # tokens before it in the payload
    tokens: int
    importance: float = 0.5  # 0–1
    label: str = ""  # "" = the id
    flag: str = ""  # the warning in the reader's language, "74 % here, 83 % at the end"; "" = none
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Recall:
    """The expected recall along the payload."""

    curve: tuple[tuple[float, float], ...]  # (tokens from the start, recall 0–1), ascending, at least two points
    trough: tuple[tuple[float, float], ...] = ()  # zones in tokens


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn under the blocks, in tokens: where messages begin, what stays together, what a cache holds."""

    messages: Sequence[int] = ()
    groups: Sequence[tuple[int, int]] = ()
    prefix: int = 0


def layout_map(
    blocks: Sequence[Block],
    recall: Recall,
    mount: Mount,
    *,
    total: int,
    marks: Marks = Marks(),
    on_move: Callable[[str, str], None] | None = None,
) -> str | None:
    """Draws `total` tokens of payload; the id of the block picked just now.

    `on_move` is called with a block's id and that of the block before which it was let go ("" = at the end).
    """
    data = {
        "ids": [block.id for block in blocks],
        "label": [block.label or block.id for block in blocks],
        "source": [block.source for block in blocks],
        "start": [block.start for block in blocks],
        "tokens": [block.tokens for block in blocks],
        "importance": [round(min(1.0, max(0.0, block.importance)), 3) for block in blocks],
        "note": [block.flag for block in blocks],
        "curve_x": [round(x, 2) for x, _ in recall.curve],
        "curve_y": [round(y, 5) for _, y in recall.curve],
        "trough": [list(zone) for zone in recall.trough],
        "pinned": [block.pinned for block in blocks],
        "messages": list(marks.messages),
        "groups": [list(group) for group in marks.groups],
        "prefix": marks.prefix,
        "movable": on_move is not None,
        "total": total,
        "height": mount.height or 300,
    }
    moved = None if on_move is None else lambda value: on_move(*loads(value))
    return draw(_LAYOUT_MAP, data, mount, {"moved": moved} if moved else {})
