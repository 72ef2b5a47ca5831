"""Ctrl+Z in a field where one types is the field's own: the shortcuts of the page do not get it."""

from __future__ import annotations

from ui.components.drawn import Mount, draw, register

_KEYS = register("keys", "")


def keys(mount: Mount) -> None:
    """Draws nothing."""
    draw(_KEYS, {}, mount)
