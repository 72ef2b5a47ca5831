"""Which of the newest messages become how short, where they alone are over the history's share."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcore.groups import Group
from ctxcore.item import Item
from ctxcore.payload import Editor
from ctxcore.services import Services
from ctxcore.stages.squeeze import squeeze

MIN_SUMMARY = 32  # tokens below which a summary says nothing
Targets = dict[str, int]  # item id → tokens


def shortening(groups: Sequence[Group], free: Sequence[int], cap: int, room: int) -> tuple[list[Targets | None], int]:
    """For each group the targets of its items, None where it goes; and by how much what stays is over all the same.

    Only the groups at the places `free` give way, the oldest first. `cap` is the history's share; `room` what the
    other sources leave of the room, framing included.
    """
    tokens = sum(group.tokens for group in groups) - cap
    cost = sum(group.cost for group in groups) - room
    plan: list[Targets | None] = [{} for _ in groups]
    for is_last_word in (False, True):  # where shorter is not short enough, groups go after all, the oldest first
        for at in free:
            over, found = max(tokens, cost), plan[at]
            if over <= 0 or found is None:
                continue
            targets = None if is_last_word else _targets(groups[at], over) or None
            before, after = _size(groups[at], found), _size(groups[at], targets)
            tokens, cost = tokens - before[0] + after[0], cost - before[1] + after[1]
            plan[at] = targets
    return plan, max(tokens, cost)


def shorten(edit: Editor, services: Services, item: Item, target: int, rule: str, **facts: int) -> None:
    """The item in `target` tokens, cut where nothing is left that a compressor could say."""
    counter, query = edit.payload.counter, edit.payload.query
    text = services.compressor.compress(item.text, query=query, max_tokens=target, counter=counter, source=item.source)
    edit.compress(item, text or counter.cut(item.text, target), rule, **facts)


def _targets(group: Group, over: int) -> Targets:
    """As much as the group can give, up to what is needed; empty where it has too little to give."""
    for wanted in (over, group.tokens // 2):
        need = {"history": wanted}
        found = squeeze(
            group, need, 0, lambda item: "history", longer_than=lambda item: 2 * MIN_SUMMARY, at_least=MIN_SUMMARY
        )
        if found:
            return found
    return {}


def _size(group: Group, targets: Targets | None) -> tuple[int, int]:
    """Tokens and cost of a group whose items are compressed to `targets`; nothing where it goes."""
    if targets is None:
        return 0, 0
    saved = sum(item.tokens - targets[item.id] for item in group.items if item.id in targets)
    return group.tokens - saved, group.cost - saved
