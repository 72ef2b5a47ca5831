"""Filling limits with whole groups, and the last word: what the assembled payload really costs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ctxcore.budget import Budget
from ctxcore.counting.totals import Totals, totals
from ctxcore.groups import Group, fixed_items, groups_of, is_fixed
from ctxcore.item import Item
from ctxcore.message import Message, without_callers
from ctxcore.payload import Editor, Payload
from ctxcore.reading import thoughts_of

ENDLESS = 1 << 62
Layout = Callable[[Sequence[Item]], tuple[Message, ...]]


class Purse:
    """What is left of each limit and of the room while a stage fills them. Limits are ceilings, so both must hold."""

    def __init__(self, budget: Budget, room: int | None = None) -> None:
        self.limits = budget.caps()
        self.room = budget.room - budget.fixed if room is None else room

    @classmethod
    def without_room(cls, budget: Budget) -> Purse:
        """Limits alone, as a system holds them that never looks at the window."""
        return cls(budget, ENDLESS)

    def lacking(self, demand: Mapping[str, int], cost: int) -> str:
        """The limit that does not hold `demand` (limit → tokens), `room`, or nothing."""
        for limit, tokens in demand.items():
            if tokens > self.limits[limit]:
                return limit
        return "room" if cost > self.room else ""

    def left(self, what: str) -> int:
        return max(0, self.room if what == "room" else self.limits[what])

    def take(self, demand: Mapping[str, int], cost: int) -> None:
        for limit, tokens in demand.items():
            self.limits[limit] -= tokens
        self.room -= cost


def measured(payload: Payload, items: Iterable[Item], messages: Sequence[Message]) -> Totals:
    return totals(payload.model, payload.counter, payload.tools, items, messages, payload.scenario.form)


def assemble(
    payload: Payload, edit: Editor, items: Sequence[Item], layout: Layout, leaving: Callable[[Group], Any] | None
) -> None:
    """Write the messages, and measure them as the provider counts. While they are over the room, the group that
    `leaving` sorts first goes, by the rule `safety-net`, and the payload is measured again. Without `leaving`, the
    payload is written as it is.
    """

    def written(left: Sequence[Item]) -> tuple[Message, ...]:
        return without_callers(layout(left), payload.model, payload.counter)

    fixed = {item.id for item in fixed_items(payload)}
    must = [item for item in items if item.id in fixed]
    floor = measured(payload, must, written(must)).total
    room = payload.budget.room
    messages = written(items)
    total = measured(payload, items, messages).total
    queue: deque[Group] | None = None
    while leaving and total > room:
        if queue is None:
            free = [group for group in groups_of(tuple(items)) if not is_fixed(group, payload.question)]
            queue = deque(sorted(free, key=leaving))
        gone: set[str] = set()
        freed = 0
        while queue and freed < total - room:
            group = queue.popleft()
            freed += group.cost
            gone.update(item.id for item in group.items)
            edit.drop(group.items, "safety-net", over=total - room, room=room)
        if not gone:
            edit.report(
                "floor", "error", [item.id for item in must], floor=floor, room=room, window=payload.budget.window
            )
            break
        items = [item for item in items if item.id not in gone]
        messages = written(items)
        total = measured(payload, items, messages).total
    edit.set(messages=messages, floor=floor)
    tell_thoughts(edit, messages)


def tell_thoughts(edit: Editor, messages: Sequence[Message]) -> None:
    """Thoughts stand beside messages and are no items: says which messages bring some, and what they would cost where a
    provider bills them."""
    whole = (message.items[0] for message in messages if not message.joined)
    found = [(item.id, thoughts) for item in whole if (thoughts := thoughts_of(item.wire or {}))]
    if found:
        count = edit.payload.counter.count
        tokens = sum(count(text) for _, thoughts in found for text in thoughts)
        edit.report("thoughts-beside", "info", [key for key, _ in found], messages=len(found), tokens=tokens)


def lose_empty(edit: Editor) -> tuple[Item, ...]:
    """The items that are left without records that say nothing: alone in a message, a provider would refuse them."""
    items = edit.current()
    empty = [
        item for item in items if not item.message and not item.parents and not item.pinned and not item.text.strip()
    ]
    edit.drop(empty, "says-nothing")
    return edit.current()


def reorder(payload: Payload, order: Sequence[Item], stage: str, rule: str, **facts: Any) -> Payload:
    """The items in the order in which they stand in the messages, which stay as they are."""
    edit = payload.edit(stage)
    edit.move(order, rule, **facts)
    edit.set(messages=payload.messages)
    return edit.done()
