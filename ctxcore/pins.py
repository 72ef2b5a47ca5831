"""Pins: what the user says must never leave, by a text that it holds or by id."""

from __future__ import annotations

from dataclasses import replace

from ctxcore.item import Item


def with_pins(items: tuple[Item, ...], pins: tuple[str, ...]) -> tuple[Item, ...]:
    """The items, those pinned that hold one of `pins` or are called so; the others are the same objects."""
    wanted = tuple(pin for pin in pins if pin)
    if not wanted:
        return items
    return tuple(replace(item, pinned=True) if not item.pinned and _is_meant(item, wanted) else item for item in items)


def _is_meant(item: Item, pins: tuple[str, ...]) -> bool:
    text = item.text
    return any(pin == item.id or pin in text for pin in pins)
