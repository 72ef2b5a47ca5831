"""How small a group must become to fit: targets for its long items, the longest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ctxcore.groups import Group
from ctxcore.item import Item


def squeeze(
    group: Group,
    need: Mapping[str, int],
    room: int,
    limit_of: Callable[[Item], str],
    *,
    longer_than: Callable[[Item], int],
    at_least: int,
) -> dict[str, int]:
    """Item id → tokens to compress it to, so that the group gives up `need` tokens in each limit and `room` in all.

    Only words can be compressed, and only those of items longer than `longer_than` says; none goes below `at_least`.
    Empty where that cannot be reached.
    """
    targets: dict[str, int] = {}
    owed = {limit: max(0, tokens) for limit, tokens in need.items()}
    room = max(0, room)
    for item in sorted(group.items, key=lambda item: -item.tokens):
        limit = limit_of(item)
        wanted = max(owed.get(limit, 0), room)
        if wanted <= 0 or item.tokens <= longer_than(item) or item.pinned or item.is_media or item.calls:
            continue
        target = max(at_least, item.tokens - wanted)
        if target >= item.tokens:
            continue
        saved = item.tokens - target
        targets[item.id] = target
        owed[limit] = max(0, owed.get(limit, 0) - saved)
        room = max(0, room - saved)
    return {} if room or any(owed.values()) else targets
