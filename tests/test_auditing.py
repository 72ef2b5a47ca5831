"""The audit of a compression: what is a fact, what of it is kept, lost, added, and where a meaning was turned."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.auditing.audit import audit
from ctxcore.auditing.facts import facts_of
from ctxcore.compressing.sentences import sentences
from ctxcore.compressing.structure import folded
from ctxcore.counting.tokens import counter_for

MINUTES = (
    "The board of Larkspur Ltd met on 2026-03-14. Anna Weber reported that churn fell from 4.2% to 3.8% in Q1. "
    "You must not cache results in /var/lib/cache. The budget is $1,200,000. The rollout does not include Norway. "
    "See https://example.com/minutes?id=7 or write to ann@example.com. The build v2.14.3 fixed INV-2031."
)
会议 = (
    "会议于2026年3月14日召开。安娜·韦伯报告，流失率从4.2%降至3.8%。第二期预算为三百二十万元。"
    "结果不得写入缓存目录。上线范围不包括挪威市场。参见《年度报告》，接口为 gpt-4o-mini。用GPT处理了1,000条。"
)
SENTENCES = [*sentences(MINUTES), *sentences(会议), "Nothing new.\n", "It is 7 o'clock, not 8.\n", "- 42 items\n"]
TEXTS = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=20).map("".join) | st.text(max_size=200)


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("on 2024-05-01", "date", "2024/5/1"),
        ("于2024年5月1日", "date", "2024/5/1"),
        ("on May 1, 2024", "date", "2024/5/1"),
        ("about 1,000 rows", "num", "1000"),
        ("100亿", "num", "10000000000"),
        ("10 billion", "num", "10000000000"),
        ("占38 %。", "num", "38%"),
        ("共三百二十万元", "zhnum", "3200000"),
        ("进入第二期", "zhnum", "2"),
        ("用GPT写", "acronym", "gpt"),
        ("模型gpt-4o-mini很小", "id", "gpt-4o-mini"),
        ("in /var/lib/cache.", "path", "/var/lib/cache"),
        ("see https://a.b/c?d=1。", "url", "https://a.b/c?d=1"),
        ("call MAX_TOKENS now", "id", "max_tokens"),
        ("the basket H-HARV is sold out", "id", "h-harv"),
        ("from 10.0.0.1:80 on", "ip", "10.0.0.1:80"),
        ("参见《年报》", "quoted", "《年报》"),
        ("said Anna Weber", "name", "anna weber"),
        ("３８％", "num", "38%"),
    ],
)
def test_a_fact_and_its_key(text, kind, key):
    assert (kind, key) in [(fact.kind, fact.key) for fact in facts_of(text)]


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_places_are_those_of_the_text_and_a_text_loses_nothing_to_itself(text):
    assert all(text[fact.start : fact.end] == fact.text for fact in facts_of(text))
    same = audit(text, text)
    assert (same.recall, same.lost, same.added, same.flips) == (1.0, (), (), ())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=20), st.data())
def test_an_extract_adds_nothing(chosen, drawn):
    kept = [one for one in chosen if drawn.draw(st.booleans())]
    found = audit("\n".join(chosen), " […] ".join(kept))
    assert found.added == ()
    assert 0.0 <= found.recall <= 1.0


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (MINUTES, "3.8%", "3.9%"),
        (MINUTES, "$1,200,000", "$1,300,000"),
        (MINUTES, "2026-03-14", "2026-03-15"),
        (会议, "4.2%", "4.7%"),
        (会议, "三百二十万", "三百三十万"),
        (会议, "3月14日", "3月24日"),
    ],
)
def test_a_changed_number_is_an_added_one(text, old, new):
    found = audit(text, text.replace(old, new))
    assert [fact.text for fact in found.invented]
    assert found.lost


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (MINUTES, "must not cache", "must cache"),
        (MINUTES, "does not include", "includes"),
        (会议, "不得写入", "写入"),
        (会议, "不包括", "包括"),
    ],
)
def test_a_dropped_negation_is_a_flip_and_an_added_one_too(text, old, new):
    assert [flip.change for flip in audit(text, text.replace(old, new)).flips] == ["dropped"]
    assert [flip.change for flip in audit(text.replace(old, new), text).flips] == ["added"]


RULES = (
    "The API is fast. Images of that size will not be resized, large ones will be resized. "
    "Return it within 7 days, repairs take 15 days. From 9 litres to 6 litres. Old builds are not supported."
)
规则 = "以安装单上的日期为准。没有安装单的，以发票日期顺延 7 天。安装之日起 15 日内可退。无监督学习和监督学习不同。"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (RULES, "7 days", "15 days"),
        (RULES, "From 9 litres to 6", "From 6 litres to 9"),
        (规则, "顺延 7 天", "顺延 15 天"),
    ],
)
def test_a_number_is_judged_in_its_sentence_wherever_else_the_text_holds_it(text, old, new):
    shorter = text.replace("The API is fast. ", "").replace(old, new)
    assert [fact.text for fact in audit(text, shorter).invented]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (RULES, "will not be resized", "will be resized"),
        (RULES, "are not supported", "are supported"),
        (规则, "没有安装单的", "安装单的"),
        (规则, "无监督学习", "监督学习"),
    ],
)
def test_a_negation_is_judged_in_its_sentence_whatever_else_the_text_asserts(text, old, new):
    shorter = text.replace("The API is fast. ", "").replace(old, new)
    assert [flip.change for flip in audit(text, shorter).flips] == ["dropped"]
    assert [flip.change for flip in audit(shorter, text).flips] == ["added"]


def test_a_text_that_is_cut_behind_a_negation_turns_nothing():
    text = "作为助手，我无法执行点外卖披萨这样的任务。我的能力仅限于我被提供执行的功能。"
    assert audit(text, "作为助手，我无法执行…").flips == ()


def test_what_is_written_otherwise_is_kept():
    assert audit("It took 1,000 ms on 2026-03-14.", "1000 ms (14 March 2026)").lost == ()
    assert audit("共100亿元，占38 %", "10,000,000,000 元，38%").lost == ()


def test_a_table_made_of_records_keeps_all_numbers():
    rows = [{"at": f"2026-05-01T10:{at:02}:00Z", "ms": at * 7, "user": f"ann{at}"} for at in range(30)]
    text = json.dumps(rows, indent=1)
    found = audit(text, folded(text, counter_for("gpt-4o")))
    assert (found.recall, found.added) == (1.0, ())


def test_a_log_that_was_folded_keeps_all_numbers():
    text = "\n".join(f"2026-05-01 10:00:{at:02} GET /users/{at * 7} took {at * 3}ms" for at in range(50))
    found = audit(text, folded(text, counter_for("gpt-4o")))
    assert (found.recall, found.added) == (1.0, ())


def test_numbers_side_by_side_are_numbers_of_their_own():
    text = json.dumps([{"seats": at, "price": 141 + at, "fare": 477 + at, "no": f"HAT{at:03}"} for at in range(20)])
    found = audit(text, folded(text, counter_for("gpt-4o")))
    assert (found.recall, found.added) == (1.0, ())
    assert [fact.key for fact in facts_of("rows: 7,3,9,76,141,477")] == ["7", "3", "9", "76", "141", "477"]
