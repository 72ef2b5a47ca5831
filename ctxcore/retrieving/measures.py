"""How good a ranking is, against what is known to be right: recall, precision, MRR and nDCG at k."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2


@dataclass(frozen=True, slots=True)
class Measures:
    """0–1 each, at the first k of the ranking."""

    recall: float  # of what is right, the part that was found
    precision: float  # of k places, the part that is right: at most right/k
    mrr: float  # 1 / rank of the first right one; 0 if there is none
    ndcg: float  # what is right, discounted by rank, as a part of the best order


def measured(ranking: Sequence[str], right: Iterable[str], k: int) -> Measures:
    """`ranking`: best first, each once. A right one counts 1, whatever its place among the right ones."""
    wanted, top = set(right), list(dict.fromkeys(ranking))[:k]
    hits = [name in wanted for name in top]
    if not wanted or k <= 0:
        return Measures(0.0, 0.0, 0.0, 0.0)
    gain = sum(hit / log2(rank + 1) for rank, hit in enumerate(hits, 1))
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(wanted), k) + 1))
    first = next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
    return Measures(sum(hits) / len(wanted), sum(hits) / k, first, gain / ideal)


def mean(all_of: Sequence[Measures]) -> Measures:
    many = max(1, len(all_of))
    return Measures(
        sum(one.recall for one in all_of) / many,
        sum(one.precision for one in all_of) / many,
        sum(one.mrr for one in all_of) / many,
        sum(one.ndcg for one in all_of) / many,
    )
