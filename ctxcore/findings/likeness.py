"""Which texts say nearly the same: by their runs of five terms, in time that grows with the text alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from zlib import crc32

from ctxcore.retrieving.terms import terms

RUN = 5  # terms
SKETCH = 24  # of a text's runs, those with the smallest hashes: two texts that share most share some of these
FEWEST = 30  # different runs: a text that has less repeats itself, or is short
CROWD = 12  # texts that share a run: with more it is a phrase that stands everywhere


@lru_cache(maxsize=4096)
def runs(text: str) -> frozenset[int]:
    found = terms(text)
    return frozenset(
        crc32(" ".join(found[at : at + RUN]).encode("utf-8", "replace")) for at in range(len(found) - RUN + 1)
    )


def alike(texts: Mapping[str, str], least: float) -> list[tuple[str, str, float]]:
    """Pairs of keys, the earlier first, whose texts share at least that share of the runs of the shorter one."""
    sets = {key: own for key, text in texts.items() if len(own := runs(text)) >= FEWEST}
    holders: dict[int, list[str]] = defaultdict(list)
    for key, own in sets.items():
        for mark in sorted(own)[:SKETCH]:
            holders[mark].append(key)
    seen: set[tuple[str, str]] = set()
    found: list[tuple[str, str, float]] = []
    for keys in holders.values():
        for pair in _pairs(keys) if len(keys) <= CROWD else ():
            if pair not in seen:
                seen.add(pair)
                share = _share(sets[pair[0]], sets[pair[1]])
                if share >= least:
                    found.append((*pair, share))
    return found


def _pairs(keys: Sequence[str]) -> list[tuple[str, str]]:
    return [(first, second) for at, first in enumerate(keys) for second in keys[at + 1 :]]


def _share(first: frozenset[int], second: frozenset[int]) -> float:
    return len(first & second) / max(1, min(len(first), len(second)))
