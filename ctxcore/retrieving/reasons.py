"""Why a text was found: which words matched with what weight, how near it is, where each retriever ranked it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ctxcore.retrieving.hybrid import DEPTH, HybridRetriever
from ctxcore.retrieving.retrieval import BM25Retriever
from ctxcore.retrieving.terms import terms
from ctxcore.services import Hit, Retriever


@dataclass(frozen=True, slots=True)
class Reason:
    """term: `name` is a word, `value` what it adds to the score. score: of a retriever of that name. rank: the same."""

    kind: Literal["term", "score", "rank"]
    name: str
    value: float


def reasons(query: str, texts: Sequence[str], retriever: Retriever, hits: Sequence[Hit]) -> list[tuple[Reason, ...]]:
    """One tuple a hit; the terms of a hit, heaviest first, sum up to its BM25 score. Raises what a search raises."""
    if isinstance(retriever, HybridRetriever):
        parts = [_of_part(one, query, texts, hits) for one in retriever.retrievers]
        return [tuple(reason for part in parts for reason in part[at]) for at in range(len(hits))]
    return _terms(retriever, query, texts, hits) if isinstance(retriever, BM25Retriever) else [()] * len(hits)


def _of_part(one: Retriever, query: str, texts: Sequence[str], hits: Sequence[Hit]) -> list[tuple[Reason, ...]]:
    name = str(getattr(one, "name", type(one).__name__))
    found = {hit.index: (rank, hit.score) for rank, hit in enumerate(one.search(query, texts, DEPTH), 1)}
    words = reasons(query, texts, one, hits)
    placed = [
        (Reason("rank", name, float(found[hit.index][0])), Reason("score", name, found[hit.index][1]))
        if hit.index in found
        else ()
        for hit in hits
    ]
    return [(*place, *word) for place, word in zip(placed, words, strict=True)]


def _terms(bm25: BM25Retriever, query: str, texts: Sequence[str], hits: Sequence[Hit]) -> list[tuple[Reason, ...]]:
    wanted = terms(query)
    scores = {term: bm25.index(texts).scores([term]) * wanted.count(term) for term in dict.fromkeys(wanted)}
    found = []
    for hit in hits:
        weights = [(term, float(score[hit.index])) for term, score in scores.items()]
        weights.sort(key=lambda weight: -weight[1])
        found.append(tuple(Reason("term", term, weight) for term, weight in weights if weight > 0))
    return found
