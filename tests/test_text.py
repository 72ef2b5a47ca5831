"""Terms, sentences and extracts. The laws hold for any text; a small counter stands in where tokens do not matter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.compressing import digest as digests
from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.sentences import LONGEST, sentences
from ctxcore.counting.tokens import counter_for
from ctxcore.retrieving.retrieval import Index
from ctxcore.retrieving.terms import stem, terms
from ctxcore.services import Counter

WORDS = [
    "budget",
    "history",
    "3.5",
    "1,200",
    "e.g.",
    "must",
    "decided",
    "预算是38%",
    "历史",
    "😀",
    "GPT-4o",
    "[…]",
    "…",
]
ENDS = [". ", "? ", "。", "\n", "\n\n", " ", ", ", "；", "\n| ", "\n- ", "\n```\n"]
TEXTS = st.lists(st.sampled_from(WORDS + ENDS), max_size=80).map("".join) | st.text(max_size=300)
QUERIES = st.sampled_from(["", "budget of the history", "预算", "nothing matches this"])
COUNTERS = ["gpt-4o", "gpt-4"]


@dataclass(frozen=True)
class WordCounter:
    """A word is a token; for tests that speak of budgets in words."""

    name: str = "words"
    exactness: str = "exact"
    fingerprint: str = "words"

    def count(self, text: str) -> int:
        return len(text.split())

    def learn(self, texts: Iterable[str]) -> None:
        """Nothing is remembered."""

    def cut(self, text: str, tokens: int) -> str:
        words = re.findall(r"\s*\S+\s*", text)
        return "".join(words[: max(tokens, 0)])


def compressed(text: str, max_tokens: int, query: str = "", counter: Counter | None = None) -> str:
    return Extractive().compress(text, query=query, max_tokens=max_tokens, counter=counter or WordCounter())


def digested(texts: list[tuple[str, str]], max_tokens: int, query: str = "", counter: Counter | None = None) -> str:
    return Extractive().digest(texts, query=query, max_tokens=max_tokens, counter=counter or WordCounter())


def talk(turns: int, seed: int = 1) -> list[tuple[str, str]]:
    rng = Random(seed)
    said = [
        "The cache holds {} items.",
        "We looked at module {}.",
        "Is {} enough?",
        "缓存里有{}条记录。",
        "Fine, go on.",
    ]
    return [
        (
            "user" if turn % 2 == 0 else "assistant",
            " ".join(rng.choice(said).format(rng.randint(1, 99)) for _ in range(3)),
        )
        for turn in range(turns)
    ]


# -- terms -----------------------------------------------------------------------------------------


def test_forms_of_a_word_meet():
    assert len({stem(word) for word in ("cache", "caches", "cached", "caching")}) == 1
    assert stem("string") == "string"
    assert stem("gpt4s") == "gpt4s"


def test_identifiers_and_numbers_are_kept():
    assert {"gpt-4o-mini", "gpt", "user_id", "1000", "3.5", "38"} <= set(
        terms("GPT-4o-mini, user_id: 1,000 or 3.5 or 38%")
    )
    assert terms("the user's") == ["user"]


def test_latin_words_beside_hanzi_are_words():
    assert terms("用GPT写文章") == ["用", "gpt", "写", "文", "章", "写文", "文章"]


def test_full_width_is_half_width():
    assert terms("ＧＰＴ ３８％") == ["gpt", "38"]


# -- sentences -------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_joined_sentences_are_the_text(text):
    assert "".join(sentences(text)) == text


@pytest.mark.parametrize("text", ["." * 50_000, "。" * 5_000, "\n \n" * 5_000, "a" * 5_000, '{"a":[1,2]},' * 2_000])
def test_nothing_is_longer_than_the_limit(text):
    found = sentences(text)
    assert "".join(found) == text
    assert max(map(len, found)) <= LONGEST


def test_a_stop_in_a_number_or_an_abbreviation_ends_nothing():
    text = 'It took 3.5 s, e.g. on Mondays. Dr. Smith left! "Why?" he asked. See Fig. 3. Then 2.0 came.'
    assert [one.strip() for one in sentences(text)] == [
        "It took 3.5 s, e.g. on Mondays.",
        "Dr. Smith left!",
        '"Why?" he asked.',
        "See Fig. 3.",
        "Then 2.0 came.",
    ]


def test_chinese_stops_need_no_space():
    assert sentences("我们决定了。必须保留38%！“好。”然后呢？") == [
        "我们决定了。",
        "必须保留38%！",
        "“好。”",
        "然后呢？",
    ]


def test_code_tables_and_lists_stay_whole_lines():
    text = "```\nx = 1. y = 2. z\n```\n| a. B | c. D |\n- One. Two.\n1. Do it. Now.\n"
    assert sentences(text) == text.splitlines(keepends=True)


def test_one_line_of_json_is_cut_between_records():
    text = json.dumps([{"id": number, "name": "x" * 20} for number in range(100)])
    assert all(piece.endswith("}, ") for piece in sentences(text)[:-1])


# -- compress --------------------------------------------------------------------------------------


@settings(max_examples=120, deadline=None)
@given(TEXTS, QUERIES, st.integers(-1, 60), st.sampled_from(COUNTERS))
def test_laws_of_an_extract(text, query, max_tokens, model):
    counter = counter_for(model)
    short = compressed(text, max_tokens, query, counter)
    assert counter.count(short) <= max(max_tokens, 0)
    assert compressed(text, max_tokens, query, counter) == short
    if 0 <= counter.count(text) <= max_tokens:
        assert short == text
        return
    assert short == "" or counter.count(short) < counter.count(text)
    place = 0
    for piece in re.split(r"\[…\]|…", short):  # in order, word for word
        for line in filter(None, map(str.strip, piece.split("\n"))):
            place = text.find(line, place)
            assert place >= 0, line


def test_what_the_query_asks_stays():
    filler = "".join(f"Nothing of interest happened in week {week} at all. " for week in range(60))
    text = filler + "The refund limit is 250 euros. It was raised in May. " + filler
    short = compressed(text, 20, "What is the limit of a refund?")
    assert "The refund limit is 250 euros. It was raised in May." in short  # with the sentence that follows


def test_what_a_chinese_query_asks_stays():
    text = (
        "".join(f"第{week}周没有什么特别的事情发生。" for week in range(60))
        + "退款上限是250元。"
        + "其他内容照旧。" * 20
    )
    assert "退款上限是250元。" in compressed(text, 60, "退款的上限是多少？", counter_for("gpt-4o"))


def test_without_a_query_the_lead_and_the_facts_stay():
    text = (
        "Report on the cache. "
        + "It went on like this for a while. " * 9
        + "Hits rose 38% to 1,200 on 2024-05-01. The end was calm."
    )
    assert compressed(text, 15) == "Report on the cache. […] Hits rose 38% to 1,200 on 2024-05-01."


def test_a_repeated_sentence_stays_once():
    text = (
        "The cache is cold. Nothing else is new here today. THE CACHE IS COLD! "
        + "Some more words to fill the page up. " * 5
    )
    assert compressed(text, 12, "is the cache cold").lower().count("cache is cold") == 1


def test_a_gap_between_lines_is_a_line():
    text = "# Heading\nhits: 1200\n\nSome prose without anything\nthat one would need to see\nmisses: 38\n"
    assert compressed(text, 7, "heading hits misses") == "# Heading\nhits: 1200\n[…]\nmisses: 38"


def test_a_sentence_too_long_is_cut_between_words():
    counter = counter_for("gpt-4o")
    text = "The extraordinarily longwinded commissioner reported 1234567890 undocumented irregularities yesterday. Ok."
    for room in range(3, 12):
        short = compressed(text, room, "commissioner", counter)
        assert text.startswith(short.removesuffix("…"))
        assert text[len(short.removesuffix("…"))] == " "


# -- digest ----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "", " a", "/b"]), TEXTS), max_size=8),
    QUERIES,
    st.integers(0, 80),
    st.sampled_from(COUNTERS),
)
def test_laws_of_a_digest(texts, query, max_tokens, model):
    counter = counter_for(model)
    block = digested(texts, max_tokens, query, counter)
    assert counter.count(block) <= max_tokens
    at = 0
    whole = "".join(f"{label}: {one.strip()}\n" for label, text in texts for one in sentences(text))
    for line in block.removesuffix("…").splitlines(keepends=True):
        at = whole.find(line, at)
        assert at >= 0, line


def test_a_digest_does_not_depend_on_what_was_asked_before():
    texts, counter = talk(60), counter_for("gpt-4o")
    asked = [(60, 90), (41, 200), (7, 40), (59, 90), (60, 90)]
    for query in ("", "how many items does the cache hold"):
        together = [digested(texts[:size], room, query, counter) for size, room in asked]
        alone = []
        for size, room in asked:
            digests._recent.clear()
            alone.append(digested(texts[:size], room, query, counter))
        assert together == alone


def test_scores_are_those_of_bm25s():
    texts = talk(40)
    digested(texts, 50, "items 缓存 module")
    conversation = digests._recent[0]
    options = Extractive(neighbour=0.0)
    lines = [terms(one) for _, text in texts for one in sentences(text)]
    expected = Index(lines, options.k1, options.b).scores(terms("items 缓存 module"))
    assert conversation.matches(len(lines), "items 缓存 module", options) == pytest.approx(expected, rel=1e-4)


def test_another_budget_counts_almost_nothing_again():
    texts, counter = talk(400), counter_for("gpt-4o")
    digested(texts, 500, "cache items", counter)
    before = counter.calls
    digested(texts[:-3], 490, "cache items", counter)
    assert counter.calls - before < 20


def test_without_a_query_the_goal_and_the_decisions_stay():
    texts = [("user", "Hello! I want a report about churn in Europe.")]
    texts += [
        ("assistant", "Here is something that I thought of, as one does."),
        ("user", "Fine, then go on with it."),
    ] * 20
    texts += [
        ("user", "We decided to drop Q3."),
        ("assistant", "必须保留38%的预算。"),
        ("assistant", "The rollout date is pending."),
    ]
    block = digested(texts, 36)
    for kept in ("a report about churn", "decided to drop Q3", "必须保留38%", "date is pending"):
        assert kept in block


def test_fingerprints_tell_options_apart():
    assert Extractive().fingerprint == "Extractive@2(neighbour=0.35,k1=1.2,b=0.75,focus=0.5)"
    assert Extractive(b=0.5).fingerprint != Extractive().fingerprint
