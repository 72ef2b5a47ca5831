"""The audit of one compression: what was kept, lost, added, turned around. Remembered; worked out when it is read."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ctxcore.auditing.copies import renumbered, said_in
from ctxcore.auditing.facts import Fact, facts_of, is_within, runs_of
from ctxcore.auditing.negations import Flip, denials_of, flips
from ctxcore.auditing.patterns import NUMERIC, WEIGHTS
from ctxcore.compressing.json_text import json_value
from ctxcore.compressing.logs import fold

NUMBERS = ("num", "zhnum", "date")
COUNTED = NUMERIC | {"negation"}  # kinds for which letters that stand somewhere are no proof
NAMED = 5  # facts of a list that are named in short
LONGEST = 1_000_000  # characters that are looked at


@dataclass(frozen=True)
class Audit:
    """`kinds`: kept and in all, by kind, each fact once. Places of `lost` are in the original, of `added` in the
    shorter text. `recall`: share of the facts that was kept, 0–1, numbers, dates, ids and negations counting thrice."""

    kinds: Mapping[str, tuple[int, int]]
    lost: tuple[Fact, ...]
    added: tuple[Fact, ...]
    flips: tuple[Flip, ...]
    recall: float

    @property
    def invented(self) -> tuple[Fact, ...]:
        """Added numbers, dates and the like."""
        return tuple(fact for fact in self.added if fact.kind in NUMERIC or any(c.isdigit() for c in fact.text))

    def says(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Rules and facts for sentences about it: what was kept, then what is lost, added and turned, if anything."""
        counts = {kind: self.kinds.get(kind, (0, 0)) for kind in (*self.kinds, *NUMBERS)}
        (kept, facts), (numbers_kept, numbers) = (
            tuple(sum(counts[kind][at] for kind in kinds) for at in (0, 1)) for kinds in (self.kinds, NUMBERS)
        )
        whole = {"kept": kept, "facts": facts, "numbers_kept": numbers_kept, "numbers": numbers}
        lists = (
            ("fidelity-lost", _texts(self.lost)),
            ("fidelity-added", _texts(self.added)),
            ("fidelity-flips", [flip.fact.text for flip in self.flips]),
        )
        told = (
            (rule, {"said": ", ".join(said[:NAMED]) + (" …" if len(said) > NAMED else "")})
            for rule, said in lists
            if said
        )
        return (("fidelity", whole), *told)

    def to_json(self) -> dict[str, Any]:
        kept, total = (sum(counts[at] for counts in self.kinds.values()) for at in (0, 1))
        return {
            "recall": round(self.recall, 3),
            "kept": kept,
            "facts": total,
            "kinds": {kind: {"kept": kept, "facts": total} for kind, (kept, total) in self.kinds.items()},
            "lost": _texts(self.lost),
            "added": _texts(self.added),
            "flips": [{"change": flip.change, "text": flip.fact.text} for flip in self.flips],
        }


@lru_cache(maxsize=256)
def audit(before: str, after: str) -> Audit:
    """`after` is what a compression made of `before`. Lists of records and logs are judged by their numbers, as
    tables take dates apart."""
    before, after = before[:LONGEST], after[:LONGEST]
    old, new = (*facts_of(before), *denials_of(before).denied), (*facts_of(after), *denials_of(after).denied)
    is_apart = json_value(before) is not None or fold(before) is not before
    has, runs = {fact.key for fact in new}, runs_of(after)
    smooth = after.casefold()

    def is_kept(fact: Fact) -> bool:
        if fact.key in has or (fact.kind not in COUNTED and _stands_in(fact.key, smooth)):
            return True
        return is_apart and is_within(fact, runs)

    once = {(fact.kind, fact.key): fact for fact in reversed(old)}
    kept = {key: is_kept(fact) for key, fact in once.items()}
    kinds = {
        kind: (sum(held for (one, _), held in kept.items() if one == kind), sum(one == kind for one, _ in kept))
        for kind in sorted({one for one, _ in kept})
    }
    whole = sum(WEIGHTS.get(kind, 1.0) for kind, _ in kept)
    held = sum(WEIGHTS.get(kind, 1.0) for (kind, _), there in kept.items() if there)
    lost = tuple(fact for fact in old if not kept[fact.kind, fact.key])
    added = _added(before, old, new, is_apart)
    if fold(before) is before:
        added += tuple(fact for fact in _swapped(before, after, new) if fact not in added)
    return Audit(kinds, lost, added, flips(before, after), held / whole if whole else 1.0)


def _added(before: str, old: tuple[Fact, ...], new: tuple[Fact, ...], is_apart: bool) -> tuple[Fact, ...]:
    """Facts that the original does not hold, neither as facts nor by their letters or digits."""
    had, runs, smooth = {fact.key for fact in old}, runs_of(before), " ".join(before.casefold().split())

    def is_new(fact: Fact) -> bool:
        if fact.kind == "negation" or fact.key in had:
            return False
        said = " ".join(fact.text.casefold().split())
        if not any(one.isdigit() for one in said):
            return said not in smooth and (fact.kind != "name" or " " in said)
        return not (is_within(fact, runs) if is_apart else _stands_in(said, smooth))

    return tuple({(fact.kind, fact.key): fact for fact in new if is_new(fact)}.values())


def _swapped(before: str, after: str, new: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Numbers that the original knows, but not in this sentence, which it holds with another one."""
    places = sorted(place for said, runs in renumbered(said_in(before), said_in(after)) for place in said.places(runs))
    return tuple(
        fact
        for fact in new
        if fact.kind != "negation" and bisect_left(places, fact.start) < bisect_left(places, fact.end)
    )


def _stands_in(said: str, smooth: str) -> bool:
    """Not as the middle of a longer number."""
    return said in smooth and re.search(rf"(?<!\d){re.escape(said)}(?!\d)", smooth, re.ASCII) is not None


def _texts(facts: tuple[Fact, ...]) -> list[str]:
    return list(dict.fromkeys(fact.text for fact in facts))
