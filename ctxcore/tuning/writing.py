"""What Construct makes of what Select kept, at all budgets: what it leaves out, and where it may be over the room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxcore.fitting import measured
from ctxcore.groups import is_attached
from ctxcore.item import Item, Source
from ctxcore.payload import Payload
from ctxcore.stages.construct import NOTES, Construct
from ctxcore.tuning.axis import Array
from ctxcore.tuning.edges import edges_of, holds_at
from ctxcore.tuning.filling import Filling

JOINT = 3  # tokens by which a compressed text may join worse than the whole one


def written(items: Sequence[Item], filling: Filling, construct: Construct) -> dict[str, Array]:
    """Item → edges of the budgets at which it is written, before anything is measured."""
    import numpy as np

    nowhere = np.zeros(0, np.int64)
    out = {item.id: filling.kept.get(item.id, nowhere) for item in items}
    if not (construct.first_only or construct.text_only):
        for item in items:
            if _says_nothing(item):  # but where a mark stands before it
                at = np.array(sorted(filling.aims.get(item.id, ())), np.int64)
                mask = np.zeros(len(filling.room) + 1, bool)
                mask[at] = True
                out[item.id] = edges_of(mask)
    if construct.first_only:
        _first_only(items, out, len(filling.room))
    if construct.text_only:
        out.update((item.id, nowhere) for item in items if item.is_media)
    return out


def _says_nothing(item: Item) -> bool:
    return not item.message and not item.pinned and not item.text.strip()


def _first_only(items: Sequence[Item], out: dict[str, Array], places: int) -> None:
    """Of each kind, only the first that is there; without a system text, no state and no notes at all."""
    import numpy as np

    spoken = any(item.source is Source.SYSTEM for item in items)
    for sources in ((Source.SYSTEM,), (Source.STATE,), NOTES):
        taken = np.zeros(places, bool)
        for item in (item for item in items if item.source in sources):
            there = holds_at(out[item.id], np.arange(places))
            out[item.id] = edges_of(there & ~taken & (spoken or Source.SYSTEM in sources))
            taken |= there


def risky(payload: Payload, filling: Filling, construct: Construct, kept: Mapping[str, Array]) -> Array:
    """The places at which headings and joints may cost more than Select allowed for them."""
    import numpy as np

    joined = [item for item in payload.items if _is_joined(item)]
    at = np.flatnonzero(filling.room < _most(payload, construct, len(joined))) if joined else np.zeros(0, np.int64)
    if not len(at):
        return at
    sets = np.array([holds_at(kept[item.id], at) for item in joined])
    short = sum(np.isin(at, list(filling.aims[item.id])) for item in joined if item.id in filling.aims)
    unique, which = np.unique(sets, axis=1, return_inverse=True)
    fixed = [item for item in payload.items if holds_at(kept[item.id], np.arange(len(filling.room))).all()]
    more = [
        _more(payload, construct, [*fixed, *(i for i, there in zip(joined, column, strict=True) if there)])
        for column in unique.T
    ]
    over = np.array(more)[which.ravel()] + JOINT * short > filling.room[at]
    blank = [key for item in joined if _says_nothing(item) for key in filling.aims.get(item.id, ())]
    return np.union1d(at[over], np.array(blank, np.int64))


def _is_joined(item: Item) -> bool:
    """Whether its cost hangs on what stands beside it: records in sections, media, results."""
    return not item.message or is_attached(item) or item.source is Source.TOOL


def _most(payload: Payload, construct: Construct, joined: int) -> int:
    """Tokens that headings, joints and framing of so many items will never exceed."""
    c, count = construct, payload.counter.count
    heads = (c.state_heading, c.notes_heading, c.docs_heading, c.tools_heading)
    return sum(count(head) + 8 for head in heads) + (8 + count(c.tool_label) + count(c.divider)) * joined


def _more(payload: Payload, construct: Construct, chosen: Sequence[Item]) -> int:
    """Tokens that these items cost together beyond what Select took for them."""
    ids = {item.id for item in chosen}
    items = [item for item in payload.items if item.id in ids]
    total = measured(payload, items, construct.layout(items, payload.question)).total
    cost = sum(item.tokens + (0 if is_attached(item) else item.frame) for item in items)
    return total - cost - payload.budget.fixed
