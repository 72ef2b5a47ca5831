"""The colours as the app's components take them; sources and actions have theirs from ctxcore/reporting/palette.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.reporting.palette import ACTIONS, ROOM, SOURCES, Mark, Shade, contrast, ink, luminance

__all__ = [
    "ACTIONS",
    "CHANGES",
    "PALETTE",
    "RELEVANCE",
    "ROOM",
    "SOURCES",
    "Mark",
    "Shade",
    "contrast",
    "ink",
    "luminance",
]

CHANGES: Mapping[str, Mark] = {
    "added": ACTIONS["added"],
    "removed": Mark("×", ACTIONS["dropped"].shade),
    "same": Mark("=", ACTIONS["kept"].shade),
    "shrunk": Mark("▼", ACTIONS["compressed"].shade),
    "grown": Mark("▲", ACTIONS["rewritten"].shade),
    "moved": ACTIONS["moved"],
}

# From no relevance to full relevance: one hue, evenly darker (light theme) or brighter (dark theme).
RELEVANCE: tuple[Shade, ...] = (
    Shade("#e3e7ef", "#2a3040"),
    Shade("#b9c9e6", "#33456b"),
    Shade("#86a5da", "#3f6099"),
    Shade("#4f7ec4", "#5d86c9"),
    Shade("#27509a", "#8fb3ef"),
)


def themed(theme: str) -> dict[str, Any]:
    """All colours of one theme, "light" or "dark", as the components take them: name → [fill, ink]."""

    def pair(shade: Shade) -> list[str]:
        fill: str = getattr(shade, theme)
        return [fill, ink(fill)]

    return {
        "source": {str(name): pair(shade) for name, shade in {**SOURCES, **ROOM}.items()},
        "fate": {name: pair(mark.shade) for name, mark in ACTIONS.items()},
        "change": {name: pair(mark.shade) for name, mark in CHANGES.items()},
        "relevance": [pair(shade) for shade in RELEVANCE],
    }


PALETTE: Mapping[str, Any] = {
    "light": themed("light"),
    "dark": themed("dark"),
    "glyph": {
        "fate": {name: mark.glyph for name, mark in ACTIONS.items()},
        "change": {name: mark.glyph for name, mark in CHANGES.items()},
    },
}
