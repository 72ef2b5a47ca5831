"""What changed between two lists of items: two stages of a trace, or two traces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ctxcore.ordering import longest_rising


class Shown(Protocol):
    """What a diff needs of an item; an `Item` has it."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Changed:
    item: str
    before: int  # tokens
    after: int


@dataclass(frozen=True, slots=True)
class Diff:
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[Changed, ...]
    moved: tuple[str, ...]
    tokens_before: int
    tokens_after: int

    def to_json(self) -> dict[str, Any]:
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "moved": list(self.moved),
            "changed": [{"item": c.item, "before": c.before, "after": c.after} for c in self.changed],
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
        }


def diff(before: Sequence[Shown], after: Sequence[Shown], *, by_content: bool = False) -> Diff:
    """Items matched by id; with `by_content` (two files), what is left over then by equal text.

    `moved` names the fewest items that explain the new order of those in both.
    """
    was = {item.id: item for item in before}
    now = {item.id: item for item in after}
    partner = partners(before, after, by_content=by_content)
    back = {new: old for old, new in partner.items()}
    rank = {item.id: at for at, item in enumerate(before)}
    order = [rank[back[item.id]] for item in after if item.id in back]
    still = longest_rising(order)
    changed = tuple(
        Changed(old, was[old].tokens, now[new].tokens)
        for old, new in partner.items()
        if was[old] is not now[new] and was[old].text != now[new].text
    )
    return Diff(
        tuple(key for key in now if key not in back),
        tuple(key for key in was if key not in partner),
        changed,
        tuple(item.id for item in after if item.id in back and rank[back[item.id]] not in still),
        sum(item.tokens for item in before),
        sum(item.tokens for item in after),
    )


def partners(before: Sequence[Shown], after: Sequence[Shown], *, by_content: bool = False) -> dict[str, str]:
    """Id before → id after: the same id, or, with `by_content`, for what is left over the same text."""
    was, now = ({item.id: item for item in items} for items in (before, after))
    partner = {key: key for key in was if key in now}
    return partner | _by_text(was, now, partner) if by_content else partner


def _by_text(was: dict[str, Shown], now: dict[str, Shown], known: dict[str, str]) -> dict[str, str]:
    taken = set(known.values())
    free: dict[str, list[str]] = {}
    for key, item in reversed(now.items()):
        if key not in taken:
            free.setdefault(item.text, []).append(key)
    return {key: free[item.text].pop() for key, item in was.items() if key not in known and free.get(item.text)}
