"""What changed between two stages: items first, then the lines inside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol

from ui.components.drawn import Mount, draw, register

LINE_LIMIT = 2_000  # difflib is quadratic: longer stretches are compared by their common head and tail only

_DIFF_VIEW = register("diff_view", '<div class="titles"></div><div class="list" role="region"></div>')


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
    named, moved = {item.id: item for item in before}, _moved(before, after)
    gone = _gone(before, {item.id for item in after})
    rows = list(gone.get("", ()))
    for item in after:
        rows.append(_item_diff(named.get(item.id), item, (actions or {}).get(item.id), item.id in moved))
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
    lines = tuple(line_diff(old.text.split("\n"), new.text.split("\n")))
    changed = action if action in ("truncated", "compressed", "rewritten") else "rewritten"
    return ItemDiff(new.id, str(new.source), changed, old.tokens, new.tokens, lines)


def _moved(before: Sequence[Comparable], after: Sequence[Comparable]) -> set[str]:
    """The fewest items whose moving explains the new order: those outside a longest increasing run of old places."""
    place = {item.id: k for k, item in enumerate(before)}
    common = [item.id for item in after if item.id in place]
    ends: list[int] = []  # ends[n]: the smallest old place that a run of n + 1 can end on
    lengths = []
    for name in common:
        at = bisect_left(ends, place[name])
        ends[at : at + 1] = [place[name]]
        lengths.append(at)
    moved, want = set(), len(ends) - 1
    for name, length in zip(reversed(common), reversed(lengths), strict=True):
        if length == want:
            want -= 1
        else:
            moved.add(name)
    return moved


def line_diff(before: Sequence[str], after: Sequence[str]) -> Iterator[Line]:
    """The lines of both sides in order; replaced ones are paired."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    yield from (Line("=", k + 1, before[k], k + 1, None) for k in range(head))
    for tag, i1, i2, j1, j2 in _steps(old, new):
        for k in range(max(i2 - i1, j2 - j1)):
            i, j = (i1 + k if i1 + k < i2 else None), (j1 + k if j1 + k < j2 else None)
            yield _line(tag == "equal", (i, old, head), (j, new, head))
    shift = len(after) - len(before)
    yield from (Line("=", k + 1, before[k], k + 1 + shift, None) for k in range(len(before) - tail, len(before)))


def _steps(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(old), len(new)) > LINE_LIMIT or not old or not new:
        return [("replace", 0, len(old), 0, len(new))]
    return SequenceMatcher(None, old, new).get_opcodes()


def _line(
    same: bool, left: tuple[int | None, Sequence[str], int], right: tuple[int | None, Sequence[str], int]
) -> Line:
    (i, old, shift), (j, new, _) = left, right
    kind = "=" if same else "~" if i is not None and j is not None else "+" if i is None else "-"
    return Line(
        kind,
        None if i is None else i + shift + 1,
        None if i is None else old[i],
        None if j is None else j + shift + 1,
        None if j is None or same else new[j],
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    shorter = min(len(one), len(other))
    return next((k for k in range(shorter) if one[k] != other[k]), shorter)


def diff_view(rows: Sequence[ItemDiff], mount: Mount, *, before: str = "", after: str = "") -> str | None:
    """Draws the rows in a scrolling box; the id of the item picked just now. `before`, `after`: the sides' names."""
    lines = [[[x.kind, x.before_no, x.before, x.after_no, x.after] for x in row.lines] for row in rows]
    groups = [[r.id, r.source, r.action, r.before, r.after, part] for r, part in zip(rows, lines, strict=True)]
    revision = f"{hash((tuple(rows), before, after, mount.words['lang'])):x}"
    data = {"groups": groups, "before": before, "after": after, "revision": revision, "height": mount.height or 560}
    return draw(_DIFF_VIEW, data, mount)
