"""Marks of the user's on items, each named by id or by a text that it holds: pins, priorities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ctxcore.item import Item


def with_marks(
    items: tuple[Item, ...], pins: Sequence[str], priorities: Sequence[tuple[str, int]] = ()
) -> tuple[Item, ...]:
    """The items with what the user says of them; the others are the same objects."""
    wanted = tuple(pin for pin in pins if pin)
    if not wanted and not priorities:
        return items
    return tuple(_marked(item, wanted, priorities) for item in items)


def _marked(item: Item, pins: Sequence[str], priorities: Sequence[tuple[str, int]]) -> Item:
    if pins and not item.pinned and is_meant(item, pins):
        item = replace(item, pinned=True)
    given = [priority for name, priority in priorities if is_meant(item, (name,))]
    return replace(item, priority=given[-1]) if given and given[-1] != item.priority else item


def is_meant(item: Item, names: Sequence[str]) -> bool:
    text = item.text
    return any(name == item.id or name in text for name in names)
