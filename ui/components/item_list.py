"""The ledger of a stage as a list: one row an item, with what was done to it, by which rule and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ui.components.drawn import Mount, draw, register

_ITEM_LIST = register(
    "item_list", '<div class="head" role="group"></div><div class="list" role="listbox" tabindex="0"></div>'
)

SHOWN, HOVER = 120, 300  # characters of a preview: in a row, and in its hover card
MANY = 2_000  # rows from which the browser gets the shorter previews
VISIBLE, LEAD = 20, 12  # characters that a row surely shows; that stand before what is sought
LOOKED_AT = 200_000  # characters of a text that are searched


@dataclass(frozen=True, slots=True)
class ItemRow:
    id: str
    source: str
    action: str  # an action of the ledger
    rule: str  # its code
    reason: str  # the rule's sentence, in the reader's language
    before: int  # tokens
    after: int
    pinned: bool = False
    group: str = ""  # neighbours of one group, such as a call and its results, stand in one bracket
    moved: bool = False  # beside what else was done to it
    preview: str = ""  # how the item's text begins, see `excerpt`


def item_list(
    rows: Sequence[ItemRow], mount: Mount, *, rules: Mapping[str, str] | None = None, mark: str = ""
) -> str | None:
    """Draws the rows, of which the browser holds only the visible ones; the id of the item picked just now.

    `rules`: what a rule's code means, for the tooltip. `mark`: the text sought, made out in the previews.
    `mount.height` is the most the list takes; few rows take less.
    """
    most = HOVER if len(rows) <= MANY else SHOWN
    data = {
        "ids": [row.id for row in rows],
        "source": coded(row.source for row in rows),
        "action": coded(row.action for row in rows),
        "rule": coded(row.rule for row in rows),
        "reason": coded(row.reason for row in rows),
        "group": coded(row.group for row in rows),
        "before": [row.before for row in rows],
        "after": [row.after for row in rows],
        "pinned": [k for k, row in enumerate(rows) if row.pinned],
        "moved": [k for k, row in enumerate(rows) if row.moved],
        "preview": [row.preview[:most] for row in rows] if any(row.preview for row in rows) else [],
        "mark": " ".join(mark.split()),
        "rules": {row.rule: rules[row.rule] for row in rows if row.rule in rules} if rules else {},
        "height": mount.height or 480,
    }
    return draw(_ITEM_LIST, data, mount)


def excerpt(text: str, mark: str = "") -> str:
    """The first words of a text on one line; where they do not hold what is sought, those around its first place."""
    plain = " ".join(text[: LOOKED_AT if mark else 2 * HOVER].split())
    at = plain.lower().find(" ".join(mark.lower().split())) if mark else 0
    start = max(0, at - LEAD) if at + len(mark) > VISIBLE else 0
    return f"{'…' if start else ''}{plain[start : start + HOVER]}"


def coded(values: Iterable[str]) -> dict[str, list[str] | list[int]]:
    """A column as its distinct values and an index a row: ten thousand rows share a few sentences."""
    places: dict[str, int] = {}
    at = [places.setdefault(value, len(places)) for value in values]
    return {"of": list(places), "at": at}
