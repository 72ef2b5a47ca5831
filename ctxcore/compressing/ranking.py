"""Sentences by how well they serve a query: BM25, and a share of the neighbours' score."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Protocol

from ctxcore.compressing.passages import Passage
from ctxcore.retrieving.terms import terms

PRIOR = 0.15  # weight of a sentence's own worth beside its match with the query, which is 1 for the best


class Ranking(Protocol):
    """`neighbour`: an answer often follows the sentence that matches. Hashable."""

    def __hash__(self) -> int: ...
    @property
    def neighbour(self) -> float: ...
    @property
    def k1(self) -> float: ...
    @property
    def b(self) -> float: ...


@lru_cache(maxsize=512)
def ranked(read: Passage, query: str, options: Ranking) -> tuple[tuple[int, ...], bool]:
    """Sentences, best first, without those that are only white space; and whether any of them serves the query."""
    matches = _matches(read, query, options)
    best = max(matches, default=0.0)
    if best > 0:
        score = [match / best + PRIOR * worth for match, worth in zip(matches, read.worth, strict=True)]
    else:  # nothing to go by but the text: facts, and the lead
        score = [worth + 0.5 / (1 + at) for at, worth in enumerate(read.worth)]
    return tuple(sorted((at for at, one in enumerate(score) if one > -inf), key=lambda at: -score[at])), best > 0


def _matches(read: Passage, query: str, options: Ranking) -> list[float]:
    wanted = terms(query)
    if not wanted:
        return []
    from ctxcore.retrieving.retrieval import Index

    asked = frozenset(wanted)  # the index is for this query: other words count by number only
    words = [[word if word in asked else "" for word in terms(sentence)] for sentence in read.sentences]
    plain = Index(words, options.k1, options.b).scores(wanted).tolist()
    around = [0.0, *plain, 0.0]
    return [score + options.neighbour * (around[at] + around[at + 2]) for at, score in enumerate(plain)]
