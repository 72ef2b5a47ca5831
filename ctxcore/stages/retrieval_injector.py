"""RetrievalInjector: the documents that serve the question, in rank order, while they fit (article 2, §3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.fitting import Purse
from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload
from ctxcore.retrieving.duplicates import repeated
from ctxcore.services import Hit, Services
from ctxcore.stages.ceilings import refused_cost


@dataclass(frozen=True)
class RetrievalInjector:
    """`match`: bm25 over words and Chinese bigrams, or the article's own search for substrings.

    `on_misfit`: skip a document that does not fit, or stop there, as the article does.
    """

    name: ClassVar[str] = "retrieval-injector"
    top_k: int = field(default=5, metadata={"about": "documents, at most"})
    match: str = field(default="bm25", metadata={"choices": ("bm25", "substring"), "about": "how a document is scored"})
    on_misfit: str = field(
        default="skip", metadata={"choices": ("skip", "stop"), "about": "what happens at one that does not fit"}
    )
    repeats: str = field(
        default="drop",
        metadata={"choices": ("drop", "keep"), "about": "what happens to one that nearly repeats a better one"},
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        docs = [item for item in payload.items if item.source is Source.DOC]
        if not docs:
            return payload
        edit = payload.edit(self.name)
        asked = any(item.id == payload.question for item in payload.items)
        if not payload.query or not asked:  # the article loses its question where six newer messages follow it
            edit.drop([doc for doc in docs if not doc.pinned], "no-query")
            return edit.done()
        texts = tuple(doc.text for doc in docs)
        by_words = self.match == "substring"
        hits = (
            substring_hits(payload.query, texts)
            if by_words
            else services.retriever.search(payload.query, texts, len(docs))
        )
        self._choose(payload, edit, docs, hits, "words found" if by_words else services.retriever.scale)
        return edit.done()

    def _choose(self, payload: Payload, edit: Editor, docs: Sequence[Item], hits: Sequence[Hit], scale: str) -> None:
        others = sum(item.tokens + item.frame for item in payload.items if item.source is not Source.DOC)
        purse = Purse(payload.budget, payload.budget.room - payload.budget.fixed - others + refused_cost(payload))
        for doc in docs:
            if doc.pinned:
                purse.take({"retrieval": doc.tokens}, doc.tokens + doc.frame)
        closed, rank = False, 0
        twins = self._twins(docs, hits)
        for hit in hits:
            doc = docs[hit.index]
            if twin := twins.get(doc.id, ""):
                edit.drop(doc, "near-duplicate", kept=twin, score=round(hit.score, 4))
                continue
            rank += 1
            demand, left = {"retrieval": doc.tokens}, purse.left("retrieval")
            lacking = (
                purse.lacking(demand, doc.tokens + doc.frame)
                if self.on_misfit == "skip"
                else ("retrieval" if doc.tokens > left else "")
            )
            if doc.pinned:
                edit.keep(doc, "pinned")
            elif rank > self.top_k:
                edit.drop(doc, "below-rank", rank=rank, score=round(hit.score, 4), top=self.top_k)
            elif closed:
                edit.drop(doc, "article-after-misfit", limit="retrieval")
            elif lacking:
                closed = self.on_misfit == "stop"
                self._refuse(edit, doc, lacking, purse, payload)
            else:
                purse.take(demand, doc.tokens + doc.frame)
                edit.keep(doc, "retrieved", rank=rank, score=round(hit.score, 4), scale=scale, left=left)
        matched = {docs[hit.index].id for hit in hits}
        edit.drop([doc for doc in docs if doc.id not in matched and not doc.pinned], "no-match")

    def _twins(self, docs: Sequence[Item], hits: Sequence[Hit]) -> dict[str, str]:
        """Of the documents that may get in, those that nearly repeat a better one, and which."""
        if self.repeats == "keep":
            return {}
        found = [docs[hit.index] for hit in hits[: 4 * self.top_k]]
        same = repeated([doc.text for doc in found])
        return {found[at].id: found[twin].id for at, twin in same.items() if not found[at].pinned}

    def _refuse(self, edit: Editor, doc: Item, lacking: str, purse: Purse, payload: Payload) -> None:
        if self.on_misfit == "stop":
            edit.drop(doc, "article-misfit", left=purse.left("retrieval"))
        elif lacking == "room":
            edit.drop(doc, "room", left=purse.left("room"), room=payload.budget.room, group=doc.tokens)
        else:
            edit.drop(doc, "cap", limit="retrieval", left=purse.left("retrieval"), cap=payload.budget.cap("retrieval"))


def substring_hits(query: str, texts: Sequence[str]) -> tuple[Hit, ...]:
    """The article's search: how many words of the question occur anywhere in a text, inside other words too."""
    words = set(query.lower().split())
    scored = [(sum(1 for word in words if word in text.lower()), at) for at, text in enumerate(texts)]
    return tuple(Hit(at, float(score)) for score, at in sorted(scored, key=lambda pair: -pair[0]) if score > 0)
