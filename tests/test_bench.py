"""The bench measures what it says: its conversation is valid, its peers decide as theirs do, its counts are true."""

from __future__ import annotations

import pytest

from bench import articles, peers, report
from bench.conversation import conversation, texts
from bench.memory import memory, size
from bench.ours import NO_TOKENIZER, SETUPS, TRUNCATE, Builder, scenario
from bench.quality import largest_group, orphans, qualities, true_count, windows
from bench.scaling import Scaling
from ctxcore.item import Item
from tests.build import assistant, calls, result, system, user


def by_words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize("messages", [3, 4, 5, 6, 7, 8, 100])
def test_a_conversation_has_its_length_and_no_orphan(messages):
    talk = conversation(messages, 1)
    assert len(talk) == messages
    assert (talk[0]["role"], talk[-1]["role"]) == ("system", "user")
    assert orphans(talk) == 0


def test_a_conversation_depends_on_its_seed_alone():
    assert conversation(50, 1) == conversation(50, 1)
    assert not {*texts(conversation(50, 1))[:-1]} & {*texts(conversation(50, 2))} - {"search_logs", talk_question()}


def talk_question() -> str:
    return str(conversation(3, 1)[-1]["content"])


def test_a_longer_conversation_goes_on_where_a_shorter_one_ends():
    assert conversation(60, 3)[:40] == conversation(200, 3)[:40]


def test_its_messages_have_about_the_tokens_asked_for():
    assert sum(map(peers.count, texts(conversation(1_000, 4)))) == pytest.approx(100_000, rel=0.1)


def test_an_orphan_is_a_result_without_its_call_or_a_call_without_its_result():
    assert orphans([user(), calls("a"), result("a")]) == 0
    assert orphans([user(), result("a")]) == 1
    assert orphans([user(), calls("a", "b"), result("a")]) == 1


def test_article_1_stops_at_the_first_misfit_even_where_older_ones_would_fit():
    talk = [system(), user("old"), assistant("long " * 100), user("new"), user("question")]
    kept = [message["content"] for message in articles.select(talk, 30)]
    assert kept == ["Answer briefly.", "new", "question"]


def test_article_2_keeps_six_messages_once_half_of_the_window_is_used():
    talk = [system(), *(user("one two three") for _ in range(20))]
    assert len(articles.compact(talk, 120, by_words)) == 21
    short = articles.compact(talk, 119, by_words)
    assert [message["role"] for message in short] == ["system", "system", *["user"] * 6]


def test_article_2_pops_the_oldest_until_the_printed_list_fits_and_stops_at_two():
    talk = [system("s"), user("a"), user("b"), user("c")]
    assert [m["content"] for m in articles.pop_until_it_fits(talk, 12, by_words)] == ["s", "b", "c"]
    assert [m["content"] for m in articles.pop_until_it_fits(talk, 1, by_words)] == ["s", "c"]


def test_langchain_is_told_the_true_cost():
    talk = conversation(40, 5)
    counter = peers.true_counter(talk)
    assert counter(peers.as_langchain(talk)) + peers.PRIMING == true_count(talk)


@pytest.mark.parametrize("setup", NO_TOKENIZER)
def test_another_budget_needs_no_tokenizer(setup):
    builder = Builder(scenario(conversation(200, 6)), 8_000)
    builder.build(setup)
    builder.tokenizer_runs.clear()
    builder.build(setup)
    assert builder.tokenizer_runs == {setup: 0}


def test_every_window_is_filled_and_none_is_over():
    truncate, summarize, langchain, first, second = qualities(messages=300, count=12)
    for quality in (truncate, summarize):
        assert (quality.over, quality.orphaned) == (0, 0)
        assert quality.small_fill >= report.FILL
    assert langchain.over == 0
    assert (first.orphaned, second.over) == (12, 0)


def test_windows_grow_by_the_same_factor():
    assert windows(4, 1_000, 8_000) == [1_000, 2_000, 4_000, 8_000]


def test_a_call_and_its_result_are_one_group():
    talk = [user(), calls("a"), result("a", "word " * 50)]
    assert largest_group(talk) == true_count([talk[1]]) + true_count([talk[2]])


@pytest.mark.parametrize("setup", SETUPS)
def test_snapshots_share_their_items(setup):
    kept = memory(Builder(scenario(conversation(300, 7)), 8_000).build(setup))
    assert kept.ratio <= report.MEMORY
    assert kept.ledger > 0


def test_texts_and_shared_objects_count_once_or_not_at_all():
    item = Builder(scenario(conversation(3, 8)), 1_000).build(TRUNCATE).final.items[0]
    assert size(["long " * 1_000]) == 0
    assert size([item, item]) == size([item]) > 0
    assert size([item], stop=Item) == 0


def test_the_worst_doubling_counts():
    assert Scaling("x", {1: 1.0, 2: 2.0, 4: 5.0}).worst == 2.5
