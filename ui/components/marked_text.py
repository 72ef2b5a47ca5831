"""A text as it is, with stretches of it marked: what is lost, what is new, what is turned around."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ui.components.drawn import Mount, draw, register

KINDS = ("lost", "added", "flipped")

_MARKED_TEXT = register("marked_text", '<div class="text" tabindex="0" role="region"></div><div class="legend"></div>')


@dataclass(frozen=True, slots=True)
class Marked:
    """Places in the text; `kind` is one of KINDS."""

    start: int
    end: int
    kind: str


def stretches(text: str, marks: Iterable[Marked]) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with the kind of its mark, "" for none. Of marks that overlap the first counts."""
    last = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start < last or mark.end > len(text):
            continue
        if mark.start > last:
            yield text[last : mark.start], ""
        yield text[mark.start : mark.end], mark.kind
        last = mark.end
    if last < len(text):
        yield text[last:], ""


def marked_text(text: str, marks: Iterable[Marked], mount: Mount) -> None:
    """Draws the text in a scrolling box, and a legend of the marks that occur in it."""
    pieces = [[piece, kind] for piece, kind in stretches(text, marks)]
    kinds = [kind for kind in KINDS if any(kind == found for _, found in pieces)]
    draw(_MARKED_TEXT, {"pieces": pieces, "kinds": kinds, "height": mount.height or 220}, mount)
