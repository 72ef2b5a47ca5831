"""Ids of messages and records: given once, never given again, whatever is removed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ctxcore.errors import InputError

NUMBERED = re.compile(r"([a-z]+)-(\d{1,9})")
WIDTHS = {"turn": 4}  # digits; two for all others


class Ids:
    """Gives fresh ids. `issued` is the highest number ever given, by kind: `{"turn": 12}`."""

    def __init__(self, issued: Mapping[str, int], taken: Iterable[str]) -> None:
        self.issued = dict(issued)
        for name in taken:
            self._note(name)

    def _note(self, name: str) -> None:
        if match := NUMBERED.fullmatch(name):
            kind, number = match.groups()
            self.issued[kind] = max(self.issued.get(kind, 0), int(number))

    def fresh(self, kind: str, at_least: int = 1) -> str:
        number = max(at_least, self.issued.get(kind, 0) + 1)
        self.issued[kind] = number
        return f"{kind}-{number:0{WIDTHS.get(kind, 2)}d}"

    def for_message(self, message: Mapping[str, Any], position: int) -> str:
        """`position` counts from 1: the seventh message is turn-0007, whatever stands before it."""
        return self.fresh("system") if message["role"] in ("system", "developer") else self.fresh("turn", position)


def check_unique(places: Iterable[tuple[str, str]]) -> None:
    """`places` are pairs of id and where it stands."""
    seen: dict[str, str] = {}
    for name, where in places:
        if name in seen:
            raise InputError("id-twice", where=where, name=name, other=seen[name])
        seen[name] = where


def given_ids(ids: Sequence[str], count: int, places: Sequence[int]) -> tuple[str, ...]:
    """The given ids of the messages that were kept (`places` of `count`); () where none were given."""
    if ids and len(ids) != count:
        raise InputError("ids-count", ids=len(ids), count=count)
    return tuple(ids[place] for place in places) if ids else ()


def carried(old: Sequence[Mapping[str, Any]], ids: Sequence[str], new: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The ids of `new`, a list edited from `old`; "" for a message that needs a fresh one.

    A message that is still there, as the same object or word for word, keeps its id wherever it went. In a list
    as long as before, a new message at the place of one that is gone was edited there, and takes its id.
    """
    free = {id(message): at for at, message in enumerate(old)}
    found = [free.pop(id(message), None) for message in new]
    if free and None in found:
        _match_equal(old, new, free, found)
    gone = set(free.values())
    if len(old) == len(new):
        found = [at if at is not None else (place if place in gone else None) for place, at in enumerate(found)]
    return tuple("" if at is None else ids[at] for at in found)


def _match_equal(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], free: dict[int, int], found: list[int | None]
) -> None:
    """Pairs what is left over by content, first with first."""
    by_content: dict[str, list[int]] = {}
    for at in sorted(free.values(), reverse=True):
        by_content.setdefault(json.dumps(old[at], sort_keys=True), []).append(at)
    for place, known in enumerate(found):
        if known is None and (same := by_content.get(json.dumps(new[place], sort_keys=True))):
            found[place] = at = same.pop()
            del free[id(old[at])]
