"""The payload along its tokens, against the recall that each place can expect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.components.drawn import Mount, draw, register

_LAYOUT_MAP = register(
    "layout_map",
    """
<div class="stack"><canvas class="base"></canvas><canvas class="top" tabindex="0" role="application"></canvas></div>
<div class="legend"></div>
""",
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


@dataclass(frozen=True, slots=True)
class Recall:
    """The expected recall along the payload."""

    curve: tuple[tuple[float, float], ...]  # (tokens from the start, recall 0–1), ascending, at least two points
    trough: tuple[tuple[float, float], ...] = ()  # zones in tokens


def layout_map(
    blocks: Sequence[Block], recall: Recall, mount: Mount, *, total: int, messages: Sequence[int] = ()
) -> str | None:
    """Draws `total` tokens of payload; the id of the block picked just now. `messages`: the token where each begins."""
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
        "messages": list(messages),
        "total": total,
        "height": mount.height or 300,
    }
    return draw(_LAYOUT_MAP, data, mount)
