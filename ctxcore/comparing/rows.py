"""Two lists of items as rows: items first, then the lines inside them, then the words inside those."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ctxcore.comparing.matching import steps
from ctxcore.comparing.words import Pieces, word_diff
from ctxcore.ordering import longest_rising

LONG_LINE = 200  # characters: JSON in longer lines is unfolded before it is compared
CHANGES = ("truncated", "compressed", "rewritten")


class Comparable(Protocol):
    """As much of an item as a diff reads."""

    @property
    def id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Line:
    kind: str  # "=" same, "-" only before, "+" only after, "~" replaced
    before_no: int | None  # counted from 1
    before: str | None
    after_no: int | None
    after: str | None
    words: tuple[Pieces, Pieces] | None = None  # of a replaced line that is much the same


@dataclass(frozen=True, slots=True)
class ItemDiff:
    id: str
    source: str
    action: str  # an action of the ledger
    before: int  # tokens
    after: int
    lines: tuple[Line, ...]  # empty where the text is the same


def diff_rows(
    before: Sequence[Comparable], after: Sequence[Comparable], actions: Mapping[str, str] | None = None
) -> tuple[ItemDiff, ...]:
    """The items of both sides in the order of `after`; those that went stand where they stood.

    `actions`: what the ledger says was done to an item whose text changed; without it, "rewritten".
    """
    named = {item.id: item for item in before}
    place = {item.id: at for at, item in enumerate(before)}
    still = longest_rising([place[item.id] for item in after if item.id in place])
    gone = _gone(before, {item.id for item in after})
    rows = list(gone.get("", ()))
    for item in after:
        moved = item.id in place and place[item.id] not in still
        rows.append(_item_diff(named.get(item.id), item, (actions or {}).get(item.id), moved))
        rows.extend(gone.get(item.id, ()))
    return tuple(rows)


def _gone(before: Sequence[Comparable], staying: set[str]) -> dict[str, list[ItemDiff]]:
    """The dropped items by the id of the last one before them that stayed; "" = none did."""
    gone: dict[str, list[ItemDiff]] = {}
    anchor = ""
    for item in before:
        if item.id in staying:
            anchor = item.id
            continue
        lines = tuple(Line("-", k, line, None, None) for k, line in enumerate(item.text.split("\n"), 1))
        gone.setdefault(anchor, []).append(ItemDiff(item.id, str(item.source), "dropped", item.tokens, 0, lines))
    return gone


def _item_diff(old: Comparable | None, new: Comparable, action: str | None, moved: bool) -> ItemDiff:
    if old is None:
        lines = tuple(Line("+", None, None, k, line) for k, line in enumerate(new.text.split("\n"), 1))
        return ItemDiff(new.id, str(new.source), "added", 0, new.tokens, lines)
    if old is new or old.text == new.text:
        return ItemDiff(new.id, str(new.source), "moved" if moved else "kept", old.tokens, new.tokens, ())
    lines = tuple(line_diff(*(text.split("\n") for text in unfolded(old.text, new.text))))
    changed = action if action in CHANGES else "rewritten"
    return ItemDiff(new.id, str(new.source), changed, old.tokens, new.tokens, lines)


def unfolded(before: str, after: str) -> tuple[str, str]:
    """Both as they are, or, where both are JSON in one long line, with a line for each value."""
    one_line = max(len(before), len(after)) > LONG_LINE and "\n" not in before + after
    if not (one_line and before[:1] in "[{" and after[:1] in "[{"):
        return before, after
    try:
        loose = [json.dumps(json.loads(text), indent=1, ensure_ascii=False) for text in (before, after)]
    except (ValueError, RecursionError):
        return before, after
    return loose[0], loose[1]


def line_diff(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    """The lines of both sides in order; replaced ones are paired, and compared word by word."""
    for same, old, new in steps(before, after):
        for k in range(max(len(old), len(new))):
            i, j = (old[k] if k < len(old) else None), (new[k] if k < len(new) else None)
            yield _line(same, None if i is None else (i, before[i]), None if j is None else (j, after[j]))


def _line(same: bool, left: tuple[int, str] | None, right: tuple[int, str] | None) -> Line:
    i, old = (left[0] + 1, left[1]) if left else (None, None)
    j, new = (right[0] + 1, right[1]) if right else (None, None)
    if same:
        return Line("=", i, old, j, None)
    if old is None or new is None:
        return Line("+" if old is None else "-", i, old, j, new)
    return Line("~", i, old, j, new, word_diff(old, new))
