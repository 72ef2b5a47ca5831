"""Select: what may go in, each source under its limit (article 1, step 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.item import Source
from ctxcore.payload import Payload
from ctxcore.services import Services
from ctxcore.stages.selection import Selection


@dataclass(frozen=True)
class Select:
    """Fill the limits in the article's order; whole groups, newest turns first, documents by relevance.

    What does not fit whole may be admitted at the size that Summarize shall bring it to: `target` on the item.
    """

    name: ClassVar[str] = "select"
    on_misfit: str = field(
        default="skip",
        metadata={"choices": ("skip", "stop"), "about": "at an item that does not fit: go on, or stop there"},
    )
    measure: str = field(
        default="tokens",
        metadata={"choices": ("tokens", "thirds"), "about": "true tokens, or a third of the characters"},
    )
    relevance: str = field(
        default="given",
        metadata={
            "choices": ("given", "retriever"),
            "about": "of documents: their own score or BM25, or what the retriever says, such as one of embeddings",
        },
    )
    hold_room: bool = field(default=True, metadata={"about": "hold the room of the window, not the limits alone"})
    whole_groups: bool = field(default=True, metadata={"about": "a call and its results stay or go together"})
    split_recent: bool = field(default=True, metadata={"about": "the newest turns have a limit of their own"})
    admit_compressed: bool = field(
        default=True, metadata={"about": "admit a long item at the size it can be compressed to"}
    )
    long_item: int = field(
        default=2000, metadata={"about": "tokens above which an item may be compressed; scales as the caps do"}
    )
    long_share: float = field(
        default=0.5,
        metadata={
            "about": "share of its limit that one compressed document or result may take while others wait for it"
        },
    )
    min_target: int = field(default=24, metadata={"about": "tokens below which compressing is not worth it"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        return Selection(self, payload, self._relevances(payload, services)).done()

    def _relevances(self, payload: Payload, services: Services) -> Mapping[str, float]:
        """By item: how near each document is to the question."""
        docs = [item for item in payload.items if item.source is Source.DOC]
        if self.relevance == "given" or not docs or not payload.query:
            return {item.id: item.relevance for item in docs}
        from ctxcore.retrieving.retrieval import judged

        scores = judged(payload.query, tuple(item.text for item in docs), services.retriever).scores
        return {item.id: score for item, score in zip(docs, scores, strict=True)}
