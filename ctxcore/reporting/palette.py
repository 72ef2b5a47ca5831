"""The colours: one per source, one with a mark per action, for light and for dark paper. Nothing else defines one.

The source colours were chosen by annealing in OKLab so that any two stay apart under normal sight and under simulated
deuteranopia, protanopia and tritanopia (Machado 2009); tests/test_components.py repeats the measurement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ctxcore.item import Source


@dataclass(frozen=True, slots=True)
class Shade:
    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class Mark:
    glyph: str  # from the WGL4 set, which every system font has
    shade: Shade


SOURCES: Mapping[str, Shade] = {
    Source.SYSTEM: Shade("#5a64af", "#5062b4"),
    Source.USER: Shade("#a15b71", "#943a54"),
    Source.CONVERSATION: Shade("#7ba7f1", "#90aee7"),
    Source.TOOL: Shade("#d99d41", "#d9a042"),
    Source.DOC: Shade("#359d79", "#69a896"),
    Source.STATE: Shade("#b66fb3", "#b87fc0"),
    Source.NOTE: Shade("#8a9326", "#9b8312"),
    Source.MEMORY: Shade("#7ecccc", "#69ced6"),
    Source.PROFILE: Shade("#744870", "#7f4c84"),
    Source.IMAGE: Shade("#6f702f", "#596b01"),
    Source.AUDIO: Shade("#92352c", "#9e6157"),
    Source.FILE: Shade("#cbb59f", "#c4b6a8"),
    Source.SUMMARY: Shade("#90a1a3", "#728387"),
}

# What fills the window beside the items; quiet greys, told apart by their hatching.
ROOM: Mapping[str, Shade] = {
    "overhead": Shade("#b9bdc6", "#4a505c"),
    "tools": Shade("#9aa2b1", "#5d6575"),
    "free": Shade("#ffffff", "#0f1117"),
    "reserve": Shade("#e4e6eb", "#262a33"),
    "over": Shade("#d13b3b", "#ef5f5f"),
}

ACTIONS: Mapping[str, Mark] = {
    "added": Mark("+", Shade("#2878bd", "#5aa7e8")),
    "kept": Mark("=", Shade("#8b95a5", "#6c7686")),
    "moved": Mark("↔", Shade("#7a60c2", "#9d86e0")),
    "truncated": Mark("…", Shade("#c99a1e", "#d9ae3c")),
    "compressed": Mark("▼", Shade("#d9772b", "#e58a45")),
    "rewritten": Mark("≈", Shade("#2c9c93", "#3bb0a6")),
    "dropped": Mark("×", Shade("#b83a4b", "#e0596b")),
}

INKS = ("#0b0d12", "#ffffff")


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0–1 (WCAG 2.2)."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1–21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink(fill: str) -> str:
    """The text colour that reads best on `fill`."""
    return max(INKS, key=lambda candidate: contrast(candidate, fill))
