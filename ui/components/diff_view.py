"""What changed between two stages or two runs, drawn: items first, then lines, then words."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcore.comparing.rows import ItemDiff
from ui.components.drawn import Mount, draw, register

_DIFF_VIEW = register("diff_view", '<div class="titles"></div><div class="list" role="region"></div>')


def diff_view(rows: Sequence[ItemDiff], mount: Mount, *, before: str = "", after: str = "") -> str | None:
    """Draws the rows in a scrolling box; the id of the item picked just now. `before`, `after`: the sides' names."""
    lines = [[[x.kind, x.before_no, x.before, x.after_no, x.after, x.words] for x in row.lines] for row in rows]
    groups = [[r.id, r.source, r.action, r.before, r.after, part] for r, part in zip(rows, lines, strict=True)]
    revision = f"{hash((tuple(rows), before, after, mount.words['lang'])):x}"
    data = {"groups": groups, "before": before, "after": after, "revision": revision, "height": mount.height or 560}
    return draw(_DIFF_VIEW, data, mount)
