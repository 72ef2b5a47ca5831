"""Texts that say nearly the same: one of them is enough."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcore.retrieving.terms import terms

SHINGLE = 3  # terms that must follow one another
NEAR = 0.85  # of the shingles of two texts, as a part of all that they have


def repeated(texts: Sequence[str], near: float = NEAR) -> dict[int, int]:
    """Index of each text that an earlier one nearly repeats → index of that earlier one, which itself stays.

    Only texts whose numbers of shingles allow it are compared.
    """
    found: dict[int, int] = {}
    kept: list[tuple[int, frozenset[tuple[str, ...]]]] = []
    for at, text in enumerate(texts):
        own = _shingles(text)
        twin = next((earlier for earlier, other in kept if _near(own, other, near)), None)
        if twin is None:
            kept.append((at, own))
        else:
            found[at] = twin
    return found


def _near(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]], near: float) -> bool:
    small, large = sorted((len(one), len(other)))
    if not large or small < near * large:
        return False
    common = len(one & other)
    return common >= near * (small + large - common)


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = terms(text)
    return frozenset(tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1)) if words)
