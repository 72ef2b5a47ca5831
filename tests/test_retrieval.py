"""Keyword search, and the stand-ins that know their answers beforehand."""

from __future__ import annotations

import pytest

from ctxcore.counting.tokens import counter_for
from ctxcore.fakes import FixedRetriever, HeadCompressor
from ctxcore.retrieving.retrieval import BM25Retriever, relevances
from ctxcore.services import Hit, Services

TEXTS = (
    "The cache keeps token counts by content.",
    "Guardrails look for personal data.",
    "预算按来源分配，历史最多占一半。",
    "Caching counts makes a slider quick; the cache is bounded.",
    "",
)


def found(query: str, k: int = 5, texts: tuple[str, ...] = TEXTS) -> list[int]:
    return [hit.index for hit in BM25Retriever().search(query, texts, k)]


def test_texts_that_share_words_come_best_first():
    hits = BM25Retriever().search("how is the cache bounded?", TEXTS, 5)
    assert [hit.index for hit in hits] == [3, 0]
    assert hits[0].score > hits[1].score > 0


def test_chinese_is_found():
    assert found("历史占多少预算？") == [2]


def test_k_limits_and_ties_keep_their_order():
    same = ("red fox",) * 3 + ("blue fox",)
    assert found("fox", 2, same) == [0, 1]
    assert found("red", 9, same) == [0, 1, 2]


@pytest.mark.parametrize(
    ("query", "texts", "k"),
    [
        ("", TEXTS, 3),
        ("the of", TEXTS, 3),
        ("cache", (), 3),
        ("cache", ("", "…"), 3),
        ("zebra", TEXTS, 3),
        ("cache", TEXTS, 0),
    ],
)
def test_nothing_to_find_is_no_hit(query, texts, k):
    assert BM25Retriever().search(query, texts, k) == ()


def test_relevance_is_a_part_of_the_best():
    values = relevances("cache counts bounded", TEXTS)
    assert values[3] == 1.0
    assert 0 < values[0] < 1
    assert values[1] == values[2] == values[4] == 0
    assert relevances("zebra", TEXTS) == (0.0,) * 5
    assert relevances("cache", ()) == ()


def test_options_matter_to_score_and_fingerprint():
    plain, other = BM25Retriever(), BM25Retriever(k1=2.0, b=0.1)
    assert plain.search("cache", TEXTS, 1)[0].score != other.search("cache", TEXTS, 1)[0].score
    assert plain.fingerprint != other.fingerprint


def test_fakes_serve_as_services():
    services = Services(HeadCompressor(), FixedRetriever((Hit(1, 0.9), Hit(7, 0.5), Hit(0, 0.2))))
    counter = counter_for("gpt-4o")
    assert [hit.index for hit in services.retriever.search("anything", ("a", "b"), 5)] == [1, 0]
    assert services.compressor.compress("one two three four", query="", max_tokens=2, counter=counter) == "one two"
    assert services.compressor.digest([("user", "hi")], query="", max_tokens=9, counter=counter) == "user: hi\n"
    assert "HeadCompressor" in services.fingerprint
