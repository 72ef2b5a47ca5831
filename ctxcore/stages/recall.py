"""Recall: documents and memory that serve the current sub-task: similar enough, and with one of its words (c10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.board import board_of
from ctxcore.fitting import Purse
from ctxcore.item import Item, Source
from ctxcore.layers import RECALL, of_layer
from ctxcore.payload import Payload
from ctxcore.retrieving.retrieval import judged
from ctxcore.retrieving.terms import terms
from ctxcore.services import Services


@dataclass(frozen=True)
class Recall:
    """`threshold` is meant for scores that a retriever gave as similarities; BM25's share of the best has its own."""

    name: ClassVar[str] = "recall"
    mode: str = field(
        default="filter",
        metadata={
            "choices": ("filter", "never"),
            "about": "filter what can be recalled, or never recall, as the article's code",
        },
    )
    threshold: float = field(
        default=0.7, metadata={"about": "similarity from which on a document is recalled, where documents bring scores"}
    )
    bm25_threshold: float = field(default=0.2, metadata={"about": "the same for BM25, as a share of the best hit"})
    require_keyword: bool = field(default=True, metadata={"about": "it must hold a word of the current sub-task"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        found = of_layer(payload.items, RECALL)
        if not found:
            return payload
        edit = payload.edit(self.name)
        if self.mode == "never":
            edit.drop([item for item in found if not item.pinned], "article-never-recalled")
            return edit.done()
        task = board_of(payload.items, 400).current or payload.query
        words = set(terms(task))
        scores, least = self._scores(payload, task, found, services)
        purse = Purse.without_room(payload.budget)
        for item in sorted(found, key=lambda item: (not item.pinned, -scores[item.id])):
            left = purse.left("recall")
            if item.pinned:
                edit.keep(item, "pinned")
            elif scores[item.id] < least:
                edit.drop(item, "below-threshold", score=round(scores[item.id], 3), threshold=least)
                continue
            elif self.require_keyword and not words & set(terms(item.text)):
                edit.drop(item, "no-keyword", score=round(scores[item.id], 3))
                continue
            elif item.tokens > left:
                edit.drop(item, "cap", limit="recall", left=left, cap=payload.budget.cap("recall"))
                continue
            else:
                edit.keep(item, "recalled", score=round(scores[item.id], 3), left=left)
            purse.take({"recall": item.tokens}, 0)
        return edit.done()

    def _scores(
        self, payload: Payload, task: str, found: Sequence[Item], services: Services
    ) -> tuple[dict[str, float], float]:
        """Scores by item, and the threshold that belongs to their scale."""
        given = {record.id for record in payload.scenario.documents if record.score is not None}
        if all(item.id in given for item in found if item.source is Source.DOC) and given:
            return {item.id: item.relevance for item in found}, self.threshold
        scored = judged(task, tuple(item.text for item in found), services.retriever)
        least = self.bm25_threshold if scored.threshold is None else scored.threshold
        return {item.id: score for item, score in zip(found, scored.scores, strict=True)}, least
