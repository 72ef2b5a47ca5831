"""Two runs side by side: lines and words, fates and settings, and each ready-made demonstration shows its fault."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcore import build, diff
from ctxcore.comparing.comparison import Comparison, cost
from ctxcore.comparing.demos import DEMOS
from ctxcore.comparing.fates import fates
from ctxcore.comparing.matching import MOST
from ctxcore.comparing.rows import diff_rows, line_diff
from ctxcore.comparing.words import word_diff
from ctxcore.placing.expected import expected_of, expected_recall
from tests.build import document, scenario, system, talk, user, words


@dataclass(frozen=True)
class Piece:
    id: str
    text: str
    tokens: int = 10
    source: str = "doc"


# --- lines and items

LINES = st.lists(st.sampled_from(("", "a", "b", "c", "丁")), max_size=12)


@given(LINES, LINES)
def test_a_line_diff_holds_both_sides_in_order(before, after):
    lines = list(line_diff(before, after))
    assert [line.before for line in lines if line.before is not None] == before
    assert [line.before if line.kind == "=" else line.after for line in lines if line.after_no is not None] == after
    for numbers in ([line.before_no for line in lines], [line.after_no for line in lines]):
        kept = [number for number in numbers if number is not None]
        assert kept == list(range(1, len(kept) + 1))


def test_a_huge_diff_compares_head_and_tail_only():
    before = [f"line {k}" for k in range(MOST + 10_000)]
    after = [*before[:10], *(f"other {k}" for k in range(20_000)), *before[-10:]]
    kinds = [line.kind for line in line_diff(before, after)]
    assert (kinds.count("="), len(kinds)) == (20, MOST + 10_000)


IDS = st.lists(st.sampled_from("abcdefgh"), unique=True)


@given(IDS, IDS)
def test_every_item_has_one_row_and_the_order_of_after_holds(before, after):
    rows = diff_rows([Piece(name, name) for name in before], [Piece(name, name) for name in after])
    assert [row.id for row in rows if row.action != "dropped"] == after
    assert {row.id for row in rows if row.action == "dropped"} == set(before) - set(after)
    assert {row.id for row in rows if row.action == "added"} == set(after) - set(before)
    assert len(rows) == len(set(before) | set(after))


def test_the_fewest_items_are_called_moved():
    before, after = ([Piece(name, name) for name in order] for order in ("abcde", "eabcd"))
    assert [row.id for row in diff_rows(before, after) if row.action == "moved"] == ["e"]


def test_a_dropped_item_stands_where_it_stood():
    rows = diff_rows([Piece("a", "1"), Piece("b", "2"), Piece("c", "3")], [Piece("a", "1"), Piece("c", "3")])
    assert [row.id for row in rows] == ["a", "b", "c"]


def test_the_ledger_names_the_action_of_a_changed_item():
    before, after = [Piece("a", "long", 90)], [Piece("a", "short", 20)]
    assert diff_rows(before, after, {"a": "compressed"})[0].action == "compressed"
    assert diff_rows(before, after)[0].action == "rewritten"
    assert (diff_rows(before, after)[0].before, diff_rows(before, after)[0].after) == (90, 20)


# --- words

TEXTS = st.text("ab ,.中文あ", max_size=30)


@given(TEXTS, TEXTS)
def test_pieces_make_both_lines_again_and_share_what_is_the_same(before, after):
    pieces = word_diff(before, after)
    if pieces is not None:
        assert ("".join(pieces[0]), "".join(pieces[1])) == (before, after)
        assert "".join(pieces[0][::2]) == "".join(pieces[1][::2])


def test_words_differ_as_words_and_chinese_by_the_character():
    assert word_diff("Feed 3500 watts now.", "Feed 4500 watts now.") == (
        ("Feed ", "3500", " watts now."),
        ("Feed ", "4500", " watts now."),
    )
    assert word_diff("十八号以前别送", "十九号以前别送") == (("十", "八", "号以前别送"), ("十", "九", "号以前别送"))


def test_a_blank_between_two_changes_is_part_of_the_change():
    assert word_diff("keep one two keep", "keep three four keep")[0] == ("keep ", "one two", " keep")


def test_lines_with_little_in_common_are_two_lines():
    assert word_diff("a wholly other sentence", "nothing of that kind stands here") is None


def test_what_a_compressor_kept_of_a_line_is_seen():
    kept = words(1, "brook")
    assert word_diff(words(9, "lake") + " " + kept, kept) is not None


def test_json_in_one_line_is_compared_value_by_value():
    before = '{"place": "Oslo", "notes": "' + "x" * 300 + '", "degrees": 7}'
    (row,) = diff_rows([Piece("a", before)], [Piece("a", before.replace("7", "8"))])
    assert [line.kind for line in row.lines] == ["=", "=", "=", "~", "="]


# --- fates and settings

DOCS = {"documents": [document("doc-01", words(30), 0.9), document("doc-02", words(30, "lake"), 0.2)]}
SOURCES = scenario([system(), *talk(3), user()], **DOCS)


def test_flips_name_rule_and_facts_of_both_sides():
    compared = Comparison(build(SOURCES, system="raw"), build(SOURCES, limits={"docs": "500"}))
    (flip,) = compared.flips
    assert (flip.item.id, flip.first.end, flip.second.end) == ("doc-02", "whole", "lost")
    assert (flip.first.decision.rule, flip.second.decision.rule) == ("gathered", "cap")
    assert flip.second.decision.facts["left"] < flip.item.tokens
    assert flip.gained == -flip.item.tokens


def test_two_equal_runs_differ_in_nothing():
    compared = Comparison(build(SOURCES), build(SOURCES))
    assert (compared.flips, compared.changes) == ((), ())


def test_a_summarized_turn_is_merged_and_not_lost():
    trace = build(scenario([system(), *talk(12, 9), user()]), system="compiler", window=2_000)
    ends = {key: fate.end for key, fate in fates(trace).items()}
    summary = next(item for item in trace.final.items if item.source == "summary")
    assert {key for key, end in ends.items() if end == "merged"} == set(summary.parents)
    assert ends[trace.final.question] == "whole"


@pytest.mark.parametrize("name", ["gssc", "compiler", "layered", "raw"])
def test_every_item_that_came_in_has_a_fate_and_what_is_kept_adds_up(name):
    trace = build(scenario([system(), *talk(20, 9), user()], **DOCS), system=name, window=3_000)
    found = fates(trace)
    assert list(found) == [item.id for item in trace.inputs]
    inputs = {item.id for item in trace.inputs}
    kept = sum(item.tokens for item in trace.final.items if item.id in inputs)
    assert sum(fate.tokens for fate in found.values()) == kept
    assert {key for key, fate in found.items() if fate.end == "lost"}.isdisjoint(i.id for i in trace.final.items)


def test_the_change_list_names_settings_limits_options_conditions_and_order():
    first = build(SOURCES, window=8_000, limits={"docs": "25%"})
    second = build(
        SOURCES,
        window=4_000,
        limits={"docs": "500"},
        options={"select.on_misfit": "stop", "summarize.when": "never"},
        stages=("gather", "summarize", "select", "construct"),
    )
    told = {one.what: (one.before, one.after) for one in Comparison(first, second).changes}
    assert told["window"] == ("8,000", "4,000")
    assert told["limit docs"] == ("25% = 2,000", "500")
    assert told["select.on_misfit"] == ("skip", "stop")
    assert told["summarize.when"] == ("always", "never")
    assert told["stages"] == ("gather, select, summarize, construct", "gather, summarize, select, construct")
    assert "system" not in told


def test_two_files_meet_by_id_and_then_by_content():
    other = scenario([system(), user()], documents=[document("paper", words(30)), document("new", "A third text.")])
    compared = Comparison(build(SOURCES), build(other))
    fates_of = {flip.item.id: (flip.first, flip.second) for flip in compared.flips}
    assert "doc-01" not in fates_of  # the same text under another id
    assert fates_of["doc-02"][1] is None
    assert fates_of["new"][0] is None


def test_a_call_costs_its_prompt_at_the_list_price():
    trace = build(SOURCES, model="gpt-4o")
    assert cost(trace) == trace.totals.total * trace.model.input_price / 1e6
    assert cost(build(SOURCES, model="some-model")) is None


# --- expected recall


def test_a_fact_is_expected_where_it_lies_and_not_at_all_where_it_is_lost():
    trace = build(SOURCES, limits={"docs": "500"})
    kept, gone = expected_of(trace, ["river number 29", "lake number 29"])
    assert (kept.kept, gone.kept, gone.expected) == (True, False, 0.0)
    assert 0 < kept.place < 1
    assert expected_recall(trace, ["river number 29", "lake number 29"]) == kept.expected / 2


def test_without_facts_all_that_came_in_counts():
    whole, less = build(SOURCES), build(SOURCES, limits={"docs": "500"})
    assert 0 < expected_recall(less) < expected_recall(whole) < 1


# --- demonstrations


@pytest.mark.parametrize("name", DEMOS)
def test_a_demonstration_shows_its_fault_and_its_repair_does_not(name):
    demo = DEMOS[name]
    first, second = demo.traces()
    assert demo.shows(first, second)
    assert not demo.shows(second, second)
    assert Comparison(first, second).changes
    assert all(demo.title(lang) and demo.see(lang) for lang in ("en", "zh"))


def test_what_a_diff_of_the_items_says_is_what_the_rows_say():
    first, second = DEMOS["one-misfit-ends-all"].traces()
    found = diff(first.final.items, second.final.items)
    rows = diff_rows(first.final.items, second.final.items)
    assert sorted(found.added) == sorted(row.id for row in rows if row.action == "added")
    assert sorted(found.removed) == sorted(row.id for row in rows if row.action == "dropped")
