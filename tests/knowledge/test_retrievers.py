"""Search by words, by meaning and by both; what a failing model comes to; what is remembered; near repetitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxcore.errors import InputError
from ctxcore.fakes import FixedRetriever, HeadCompressor, WordsEmbedder
from ctxcore.model.replies import ModelError
from ctxcore.retrieving.choice import retriever_called
from ctxcore.retrieving.duplicates import repeated
from ctxcore.retrieving.embedding import EmbeddingRetriever
from ctxcore.retrieving.held import HeldRetriever
from ctxcore.retrieving.hybrid import HybridRetriever, fused
from ctxcore.retrieving.retrieval import BM25Retriever, judged
from ctxcore.retrieving.vectors import NotEmbeddedError, Remembering, VectorStore
from ctxcore.services import Hit, Services
from tests.build import built, document, ids, rules, stage, user

TEXTS = ("The cache is bounded.", "Guardrails look for personal data.", "预算按来源分配，历史最多占一半。", "")
DOWN = ModelError("timeout", "did not answer within 2 s", "host")


def order(hits: tuple[Hit, ...]) -> list[int]:
    return [hit.index for hit in hits]


def test_search_by_meaning_gives_cosines_best_first():
    hits = EmbeddingRetriever(WordsEmbedder()).search("is the cache bounded? 预算", TEXTS, 2)
    assert order(hits) == [0, 2]
    assert 1 >= hits[0].score > hits[1].score > 0
    scored = judged("is the cache bounded?", TEXTS, EmbeddingRetriever(WordsEmbedder()))
    assert scored.threshold == WordsEmbedder.threshold
    assert scored.scores[0] == pytest.approx(hits[0].score, abs=0.5)


def test_rank_fusion_counts_ranks_and_not_scores():
    hits = fused([(Hit(3, 99.0), Hit(1, 98.0)), (Hit(1, 0.2), Hit(2, 0.1))], k=60)
    assert order(hits) == [1, 3, 2]
    assert hits[0].score == pytest.approx((61 / 62 + 61 / 61) / 2)
    assert fused([(Hit(5, 1.0),), (Hit(5, 0.1),)])[0].score == 1.0


def test_one_of_several_retrievers_that_is_down_leaves_the_hits_of_the_others_and_is_told():
    hybrid = HybridRetriever((BM25Retriever(), EmbeddingRetriever(WordsEmbedder(fails=DOWN))))
    assert order(hybrid.search("cache", TEXTS, 3)) == order(BM25Retriever().search("cache", TEXTS, 3))
    ((rule, facts),) = hybrid.told()
    assert (rule, facts["service"]) == ("retriever-failed", "embedding")
    assert hybrid.told() == ()


def test_b16_a_search_is_made_once_unless_it_failed():
    held = HeldRetriever(BM25Retriever())
    assert held.search("cache", TEXTS, 3) is held.search("cache", TEXTS, 3)
    held.search("cache", TEXTS, 2)
    assert (held.rate.asked, held.rate.found) == (3, 1)
    down = HybridRetriever((BM25Retriever(), EmbeddingRetriever(WordsEmbedder(fails=DOWN))))
    failing = HeldRetriever(down)
    failing.search("cache", TEXTS, 3)
    failing.search("cache", TEXTS, 3)
    assert failing.rate.found == 0
    assert len(failing.told()) == 1


@pytest.mark.parametrize("hybrid", [False, True])
def test_the_build_goes_on_and_says_what_failed(hybrid):
    down = EmbeddingRetriever(WordsEmbedder(fails=DOWN))
    services = Services(HeadCompressor(), HybridRetriever((BM25Retriever(), down)) if hybrid else down)
    sources = {"documents": [document("doc-01", "The cache is bounded."), document("doc-02", "Data.")]}
    trace = built([user("cache?")], sources=sources, system="compiler", services=services)
    assert rules(trace, "retrieval-injector", "doc-01") == ["retrieved"]
    (problem,) = stage(trace, "retrieval-injector").problems
    assert (problem.rule, problem.severity) == ("retriever-failed", "warning")
    kept = next(d for s in trace.snapshots for d in s.decisions if d.rule == "retrieved")
    assert kept.facts["scale"].startswith("rank fusion" if hybrid else "BM25")


def test_a_vector_is_asked_for_once_and_found_again_after_a_restart(tmp_path: Path):
    file = tmp_path / "vectors.db"
    first = Remembering(WordsEmbedder(), VectorStore(file))
    rows = first.embed(TEXTS)
    again = Remembering(WordsEmbedder(fails=DOWN), VectorStore(file))
    again.embedder = type("Same", (), {"fingerprint": WordsEmbedder().fingerprint, "embed": None, "threshold": 0})()
    assert (again.embed(TEXTS) == rows).all()
    assert (again.store.rate.asked, again.store.rate.found) == (4, 4)
    assert again.missing(("new", TEXTS[0])) == ["new"]
    with pytest.raises(TypeError):
        again.embed(["new"])


def test_one_that_may_not_ask_says_how_many_texts_lack_a_vector():
    store = VectorStore()
    dry = Remembering(WordsEmbedder(), store, live=False)
    with pytest.raises(NotEmbeddedError) as told:
        dry.embed(["a", "b", "a"])
    assert told.value.texts == 2
    before = dry.fingerprint
    Remembering(WordsEmbedder(), store).embed(["a", "b"])
    assert len(dry.embed(["a", "b", "a"])) == 3
    assert dry.fingerprint != before
    with pytest.raises(NotEmbeddedError):
        EmbeddingRetriever(dry).search("q", ["a"], 1)


def test_a_file_that_cannot_be_used_is_done_without(tmp_path: Path):
    (tmp_path / "vectors.db").write_bytes(b"no database, whatever its name says" * 100)
    broken = Remembering(WordsEmbedder(), VectorStore(tmp_path / "vectors.db"))
    assert (broken.embed(["a"]) == broken.embed(["a"])).all()


def test_what_nearly_repeats_an_earlier_text_is_named():
    long = "The committee met on Monday and decided that the budget shall be four million euros for the next year."
    texts = [long, "Something else is here.", long.replace("Monday", "Monday,") + " ", long.replace("four", "five")]
    assert repeated(texts) == {2: 0}
    assert repeated([*texts, "预算按来源分配，历史最多占一半", "预算按来源分配，历史最多占一半。"]) == {2: 0, 5: 4}
    assert repeated(["", "", "…"]) == {}


def test_a_retriever_is_had_by_its_name():
    assert isinstance(retriever_called("bm25"), BM25Retriever)
    assert order(retriever_called("hybrid", WordsEmbedder()).search("cache", TEXTS, 1)) == [0]
    with pytest.raises(InputError, match="CTXCORE_EMBEDDING_MODEL"):
        retriever_called("hybrid")
    with pytest.raises(InputError, match="bm25, embedding, hybrid"):
        retriever_called("magic")


def test_fixed_hits_have_no_threshold():
    assert judged("q", ("a", "b"), FixedRetriever((Hit(1, 4.0), Hit(0, 2.0)))).scores == (0.5, 1.0)


def test_a10_documents_are_selected_by_what_the_retriever_says_of_them():
    near, far = "The cache is bounded by its size. ", "Something else is said here at length. "
    sources = {"documents": [document("doc-01", far * 40, 0.9), document("doc-02", near * 40, 0.1)]}
    given = {"sources": sources, "system": "gssc", "window": 1_500, "reserve": 500, "limits": {"docs": "400"}}
    services = Services(HeadCompressor(), EmbeddingRetriever(WordsEmbedder()))
    options = {"select.admit_compressed": "off"}
    kept = {
        by: ids(
            built(
                [user("Is the cache bounded?")], services=services, options=options | {"select.relevance": by}, **given
            )
        )
        for by in ("given", "retriever")
    }
    assert [name for name in kept["given"] if "doc" in name] == ["doc-01"]
    assert [name for name in kept["retriever"] if "doc" in name] == ["doc-02"]
