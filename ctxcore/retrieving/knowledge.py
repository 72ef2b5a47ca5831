"""A knowledge base: documents, cut into chunks, searched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ctxcore.retrieving.chunking import Chunk, Chunking
from ctxcore.retrieving.duplicates import repeated
from ctxcore.scenario import Record
from ctxcore.services import Counter, Hit, Retriever


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk of a document."""

    document: int
    title: str  # the document's
    number: int  # of the chunk within it, from 1
    chunk: Chunk

    @property
    def name(self) -> str:
        return f"{self.title} · {self.number}"


@dataclass(frozen=True, slots=True)
class Found:
    piece: Piece
    hit: Hit
    rank: int
    repeats: str = ""  # name of the piece, found before it, that says nearly the same


@dataclass(frozen=True)
class Knowledge:
    documents: tuple[Record, ...]
    counter: Counter
    chunking: Chunking = field(default_factory=Chunking)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(
            Piece(at, record.title or f"document {at + 1}", number, chunk)
            for at, record in enumerate(self.documents)
            for number, chunk in enumerate(self.chunking.chunks(record.text, self.counter, record.title), 1)
        )

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What is searched: the chunk, below its document's title and the headings that lead to it."""
        return tuple(_searched(piece, self.documents[piece.document]) for piece in self.pieces)

    def with_chunking(self, chunking: Chunking) -> Knowledge:
        return replace(self, chunking=chunking)

    def hits(self, query: str, retriever: Retriever, k: int) -> tuple[Hit, ...]:
        return retriever.search(query, self.texts, k)

    def search(self, query: str, retriever: Retriever, k: int) -> tuple[Found, ...]:
        """The best `k` that say something new, and in between, marked, those that repeat one of them."""
        hits = self.hits(query, retriever, 2 * k)
        same = repeated([self.pieces[hit.index].chunk.text for hit in hits])
        found: list[Found] = []
        fresh = 0
        for at, hit in enumerate(hits):
            if fresh == k:
                break
            twin = self.pieces[hits[same[at]].index].name if at in same else ""
            fresh += not twin
            found.append(Found(self.pieces[hit.index], hit, at + 1, twin))
        return tuple(found)


_SIGNS = re.compile(r"https?://|[^\w]+|_")  # of paths and addresses: their words are what is searched


def records_of(found: Sequence[Found]) -> tuple[Record, ...]:
    """The hits as documents of a scenario, in rank order; repeated ones are left out. They bear no score: the scenario
    ranks them by its own question."""
    return tuple(Record("", one.piece.chunk.text.strip(), one.piece.name) for one in found if not one.repeats)


def _searched(piece: Piece, record: Record) -> str:
    above = (_SIGNS.sub(" ", piece.title), str(record.extra.get("heading", "")), piece.chunk.searched)
    return "\n".join(line for line in above if line.strip())
