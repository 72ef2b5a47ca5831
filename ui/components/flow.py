"""A stage as motion: every item a block, as long as its tokens; what leaves fades, what shrinks shrinks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from ui.components.drawn import Mount, draw, register

_FLOW = register(
    "flow",
    '<div class="head"><span class="told"></span><button class="again"></button></div>'
    '<div class="stage" role="img"></div><div class="legend"></div>',
)
MOST = 600  # blocks that are drawn: the largest


@dataclass(frozen=True, slots=True)
class Moving:
    """`before` and `after`: tokens, 0 where it is not there. `fate`: an action of the ledger."""

    id: str
    source: str
    before: int
    after: int
    fate: str
    why: str = ""  # one line for the tooltip


def flow(rows: Sequence[Moving], order: Sequence[str], mount: Mount) -> str | None:
    """Draws the change from one payload to the next. `order`: ids as they lie after it; picked as the treemap's."""
    large = sorted(rows, key=lambda row: -max(row.before, row.after))[:MOST]
    shown = {row.id for row in large}
    data = {
        "rows": [astuple(row) for row in rows if row.id in shown],
        "order": [key for key in order if key in shown],
        "left_out": len(rows) - len(large),
        "height": mount.height or 380,
    }
    return draw(_FLOW, data, mount)
