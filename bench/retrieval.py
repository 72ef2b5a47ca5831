"""`python -m bench.retrieval`: words, meaning and both on two question sets, beside bm25s with its public settings.

The English set: 100 questions over 232 documents; the Chinese one: 28 questions of our own over two READMEs.
Both sets of documents are read from ../shared and not part of this repository.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.report import table
from ctxcore.counting.tokens import counter_for
from ctxcore.importing.folder import read_files
from ctxcore.model.embedding import embedder_at_hand
from ctxcore.retrieving.choice import retriever_called
from ctxcore.retrieving.chunking import Chunking
from ctxcore.retrieving.knowledge import Knowledge
from ctxcore.retrieving.measures import Measures
from ctxcore.retrieving.questions import Question, answered, measures_of, read_questions
from ctxcore.retrieving.vectors import Remembering, shared_vectors
from ctxcore.scenario import Record
from ctxcore.services import Hit, Retriever

INPUTS = Path(__file__).resolve().parents[2] / "shared" / "inputs" / "rag"
WHOLE = Chunking(1_000_000, 0)
K = 5
SIZES = (75, 150, 300, 600, 1200)
# What bm25s offers and the settings that are published: its own defaults, Elasticsearch's, Anserini's.
METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")
SETTINGS = ((1.5, 0.75), (1.2, 0.75), (0.9, 0.4))


@dataclass(frozen=True)
class QuestionSet:
    name: str
    knowledge: Knowledge
    questions: tuple[Question, ...]


@dataclass
class Bm25s:
    """bm25s as its README uses it: its own tokens and stop words, with Snowball stems or without."""

    method: str
    k1: float
    b: float
    stems: bool

    fingerprint, scale, threshold = "bm25s", "BM25", None
    _index: tuple[object, ...] = ()

    @property
    def name(self) -> str:
        return f"bm25s, {self.method}, k1 {self.k1}, b {self.b}{', Snowball' if self.stems else ''}"

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        import bm25s
        import Stemmer

        how = {"stopwords": "en", "stemmer": Stemmer.Stemmer("english") if self.stems else None, "show_progress": False}
        if not self._index or self._index[0] is not texts:
            index = bm25s.BM25(method=self.method, k1=self.k1, b=self.b)
            index.index(bm25s.tokenize(list(texts), **how), show_progress=False)
            self._index = (texts, index)
        found, scores = self._index[1].retrieve(  # type: ignore[attr-defined]
            bm25s.tokenize([query], return_ids=False, **how), k=min(k, len(texts)), show_progress=False
        )
        return tuple(Hit(int(at), float(score)) for at, score in zip(found[0], scores[0], strict=True) if score > 0)


def question_sets() -> Iterator[QuestionSet]:
    counter = counter_for("gpt-4o")
    folder = INPUTS / "anthropic-docs"
    records = tuple(
        Record("", row["text"], row["chunk_link"], extra={"heading": row["chunk_heading"]})
        for row in json.loads((folder / "anthropic_docs.json").read_text("utf-8"))
    )
    questions = read_questions((folder / "docs_evaluation_dataset.json").read_bytes())
    yield QuestionSet("English", Knowledge(records, counter), questions)
    chinese = sorted((INPUTS / "zh-docs").glob("*.md"))
    documents, _ = read_files((path.name, path.read_bytes()) for path in chinese)
    yield QuestionSet(
        "Chinese",
        Knowledge(documents, counter),
        read_questions(Path(__file__).with_name("questions.zh.json").read_bytes()),
    )


def rows(given: QuestionSet) -> Iterator[tuple[str, Measures]]:
    """The default of the knowledge base is the first row."""
    whole = given.knowledge.with_chunking(WHOLE)
    yield "**BM25, the default**", _measured(given, given.knowledge, retriever_called("bm25"))
    for label, retriever in by_meaning():
        yield label, _measured(given, given.knowledge, retriever)
    if given.name == "English":
        yield _best("on our chunks", given, given.knowledge)
        yield "BM25, whole documents", _measured(given, whole, retriever_called("bm25"))
        yield _best("whole documents", given, whole)


def by_meaning() -> Iterator[tuple[str, Retriever]]:
    embedder = embedder_at_hand()
    if embedder is None:
        print("No model for embeddings is at hand: their rows are left out.", file=sys.stderr)
        return
    remembering = Remembering(embedder, shared_vectors())
    yield f"embedding, {embedder.name}", retriever_called("embedding", remembering)
    yield "hybrid of the two", retriever_called("hybrid", remembering)


def _best(where: str, given: QuestionSet, knowledge: Knowledge) -> tuple[str, Measures]:
    """The one of bm25s' settings that finds most in this very set."""
    tried = [Bm25s(method, k1, b, stems) for method in METHODS for k1, b in SETTINGS for stems in (True, False)]
    found = [(_measured(given, knowledge, one), one.name) for one in tried]
    measures, name = max(found, key=lambda one: (one[0].recall, one[0].mrr))
    return f"the best of {len(tried)} settings, {where}: {name}", measures


def _measured(given: QuestionSet, knowledge: Knowledge, retriever: Retriever) -> Measures:
    return measures_of(answered(knowledge, given.questions, retriever, K))


def sizes_of(given: QuestionSet) -> Iterator[tuple[str, Measures]]:
    for size in SIZES:
        chunking = replace(given.knowledge.chunking, size=size, overlap=min(20, size // 5))
        knowledge = given.knowledge.with_chunking(chunking)
        yield f"{size} tokens, {len(knowledge.pieces):,} chunks", _measured(given, knowledge, retriever_called("bm25"))


def shown(header: str, found: Sequence[tuple[str, Measures]]) -> str:
    head = [header, f"recall@{K}", f"precision@{K}", "MRR", f"nDCG@{K}"]
    return table(head, [[name, *(f"{x:.3f}" for x in (m.recall, m.precision, m.mrr, m.ndcg))] for name, m in found])


def main(say: Callable[[str], object] = print) -> None:
    if not INPUTS.exists():
        say("The question sets are not here: nothing to measure.")
        return
    for given in question_sets():
        began = time.perf_counter()
        found = list(rows(given))
        header = f"{given.name}, {len(given.questions)} questions, {len(given.knowledge.documents)} documents"
        say(shown(header, found) + "\n")
        say(shown(f"{given.name}, chunk size, BM25", list(sizes_of(given))) + "\n")
        if given.name == "English":
            ours, theirs = found[0][1].recall, max(m.recall for name, m in found if "bm25s" in name)
            holds = "holds" if ours >= theirs else "does NOT hold"
            say(f"default ≥ best public setting of bm25s: {ours:.3f} ≥ {theirs:.3f} {holds}\n")
        print(f"{given.name}: {time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
