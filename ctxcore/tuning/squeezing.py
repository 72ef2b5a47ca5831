"""`stages/squeeze.py` at many budgets at once: to what a group must shrink to be admitted, and where that is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxcore.groups import Group
from ctxcore.tuning.axis import Array

if TYPE_CHECKING:
    from ctxcore.tuning.filling import Filling


def squeezed(filling: Filling, group: Group, talk: str, share: float, places: Array) -> tuple[Array, dict[str, Array]]:
    """Of the places, those at which shrinking helps, and each item's tokens there: its own where it stays whole."""
    if not len(places):
        return places, {}
    np = filling.np
    room = np.maximum(0, group.cost - np.maximum(0, filling.room[places]))
    owed: dict[str, Array] = {}
    for item in group.items:
        limit = filling.limit(item, talk)
        owed[limit] = owed.get(limit, 0) + filling.size(item)
    for limit, tokens in owed.items():
        most = (share * filling.caps[limit][places]).astype(np.int64)
        owed[limit] = np.maximum(0, tokens - np.minimum(np.maximum(0, filling.limits[limit][places]), most))
    targets: dict[str, Array] = {}
    able = [item for item in group.items if not (item.pinned or item.is_media or item.calls)]
    for item in sorted(able, key=lambda item: -item.tokens):
        limit = filling.limit(item, talk)
        wanted = np.maximum(owed[limit], room)
        target = np.maximum(filling.stage.min_target, item.tokens - wanted)
        does = (wanted > 0) & (item.tokens > filling.long[limit][places]) & (target < item.tokens)
        targets[item.id] = np.where(does, target, item.tokens)
        saved = item.tokens - targets[item.id]
        owed[limit] = np.maximum(0, owed[limit] - saved)
        room = np.maximum(0, room - saved)
    done = (room == 0) & np.any([targets[item.id] < item.tokens for item in able], axis=0)
    for debt in owed.values():
        done &= debt == 0
    return places[done], {key: aim[done] for key, aim in targets.items()}
