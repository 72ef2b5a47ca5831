"""Article 3, the three layers: a test for each of its mechanisms, and for each fault that `repaired` cures."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxcore import Scenario, Trace, build, count_request
from ctxcore.board import Board, fingerprint
from ctxcore.item import Call
from ctxcore.layers import BOARD
from tests import laws
from tests.build import (
    assistant,
    built,
    calls,
    document,
    ids,
    payload_text,
    problems,
    record,
    result,
    rules,
    stage,
    system,
    talk,
    user,
    words,
)

SOURCES: dict[str, Any] = {
    "documents": [document("doc-01", "The river Elbe is wide at Hamburg.", 0.9)],
    "profile": [record("profile-01", "Reads German.")],
    "memory": [record("memory-01", "The user measured a river in May.")],
}


def layered(messages: list[dict[str, Any]], sources: dict[str, Any] | None = None, **settings: Any) -> Trace:
    return built(messages, sources=sources, system="layered", **settings)


def rounds(count: int, sentences: int = 20) -> list[dict[str, Any]]:
    """A question, then `count` calls with their results, each about another brook."""
    made = [
        (
            calls(f"c{at}", arguments=json.dumps({"place": f"brook{at}"})),
            result(f"c{at}", words(sentences, f"brook{at}")),
        )
        for at in range(count)
    ]
    return [system(), user("How wide is the brook?"), *(message for pair in made for message in pair)]


def board_of(trace: Trace) -> str:
    return next(item.text for item in trace.final.items if item.id == BOARD)


def test_c1_persistent_then_recall_then_working_and_the_board_near_the_end() -> None:
    trace = layered([system(), *talk(1), user("How wide is the river?")], SOURCES)
    assert ids(trace) == [
        "system-01",
        "profile-01",
        "memory-01",
        "doc-01",
        "turn-0002",
        "turn-0003",
        BOARD,
        "turn-0004",
    ]
    assert [limit.name for limit in trace.limits] == ["persistent", "recall", "working"]
    laws.check(trace.to_json(), valid_input=True)


def test_c1_the_board_ends_the_payload_where_calls_follow_the_question() -> None:
    assert ids(layered(rounds(2)))[-1] == BOARD


def test_c1_the_articles_code_puts_the_board_second() -> None:
    assert ids(layered([system(), *talk(1), user()], variant="article"))[:2] == ["system-01", BOARD]


def test_c2_the_board_is_made_from_structure_alone() -> None:
    trace = layered(
        [system(), user("Plan a trip."), calls("c1"), result("c1"), assistant("Done."), user("And the way back?")]
    )
    assert board_of(trace).splitlines()[1:] == [
        "goal: Plan a trip.",
        "current: And the way back?",
        "done: get_weather:Oslo",
    ]


def test_c2_a_state_in_the_scenario_comes_first() -> None:
    state = {
        "id": "state-01",
        "value": {
            "goal": "Cross the Elbe",
            "todo": ["find a bridge", "cross"],
            "current": "find a bridge",
            "done": ["pack"],
        },
    }
    board = board_of(layered([system(), user("Go on.")], {"state": state}))
    assert board.splitlines()[1:] == [
        "goal: Cross the Elbe",
        "current: find a bridge",
        "todo: find a bridge; cross",
        "done: pack",
    ]


def test_c3_the_shares_of_the_window_and_presets() -> None:
    trace = layered([system(), user()])
    assert {limit.name: limit.cap for limit in trace.limits} == {"persistent": 800, "recall": 1_600, "working": 4_800}
    assert (trace.budget.window, trace.budget.reserve) == (8_000, 800)
    knowing = layered([system(), user()], limits={"recall": "40%", "working": "40%"})
    assert {limit.name: limit.cap for limit in knowing.limits} == {"persistent": 800, "recall": 3_200, "working": 3_200}


def test_c4_the_newest_three_rounds_stay_and_older_ones_become_a_summary() -> None:
    trace = layered(rounds(8, 30), options={"compress-observation.trigger": "never"}, window=4_000)
    (merged,) = (d for d in stage(trace, "trim-working").decisions if d.rule == "rounds-summarized")
    assert set(merged.sources) == {f"turn-{at:04d}" for at in range(3, 13)}
    assert set(ids(trace)) >= {f"turn-{at:04d}" for at in range(13, 19)}
    laws.check(trace.to_json(), valid_input=True)


def test_c4_below_its_share_working_memory_is_left_alone() -> None:
    trace = layered(rounds(8, 5))
    assert "rounds-summarized" not in rules(trace, "trim-working")


def test_c4_the_articles_code_summarises_above_six_messages_whatever_they_hold() -> None:
    trace = layered([system(), *talk(5, 20), user()], variant="article")
    assert "rounds-summarized" in rules(trace, "trim-working")


def test_c5_a_result_is_shortened_for_the_current_sub_task() -> None:
    text = f"{words(30)} The ford is at kilometre 17. {words(30, 'lake')}"
    messages = [system(), user("Where is the ford?"), calls("c1"), result("c1", text)]
    trace = layered(messages, window=1_000)
    kept = next(item.text for item in trace.final.items if item.id == "turn-0004")
    assert "kilometre 17" in kept
    assert rules(trace, "compress-observation", "turn-0004") == ["observation"]
    laws.check(trace.to_json(), valid_input=True)


def test_c5_where_everything_fits_nothing_is_shortened() -> None:
    assert set(rules(layered(rounds(3, 10)), "compress-observation")) == {"untouched"}


def test_c6_recall_goes_first_then_old_rounds_and_the_persistent_layer_never() -> None:
    documents = [document(f"doc-{at:02d}", words(9, f"brook in reach {at}"), 0.9) for at in range(3)]
    messages, sources = rounds(7, 12), {"documents": documents}
    options = {
        "compress-observation.trigger": "never",
        "force-compact.enabled": False,
        "trim-working.summary_tokens": 0,
    }
    left = [
        set(ids(layered(messages, sources, options=options, window=window))) for window in range(3_600, 1_200, -100)
    ]
    docs, old = {"doc-00", "doc-01", "doc-02"}, {"turn-0003", "turn-0004"}
    assert docs | old <= left[0]
    first_without = {
        name: next(at for at, there in enumerate(left) if not name <= there)
        for name in (frozenset(docs), frozenset(old))
    }
    assert first_without[frozenset(docs)] <= first_without[frozenset(old)]
    assert all("system-01" in there and "turn-0002" in there for there in left)


def test_c7_above_85_percent_recall_is_emptied_two_rounds_stay_and_the_board_is_terse() -> None:
    documents = [document("doc-01", words(20, "brook"), 0.9)]
    options = {"compress-observation.trigger": "never", "trim-working.keep_rounds": 9, "degrade.enabled": False}
    trace = layered(
        rounds(9, 18), {"documents": documents}, options=options, limits={"working": "100%"}, window=2_400, reserve=100
    )
    assert "force-compacted" in problems(trace)
    assert rules(trace, "force-compact", "doc-01") == ["force-recall"]
    assert set(ids(trace)) == {"system-01", "turn-0002", "turn-0017", "turn-0018", "turn-0019", "turn-0020", BOARD}
    assert rules(trace, "force-compact", BOARD) == ["board-terse"]
    laws.check(trace.to_json(), valid_input=True)


def test_c7_three_full_layers_can_meet_85_percent_of_the_window_of_which_they_are_90() -> None:
    options = {"compress-observation.trigger": "never", "degrade.enabled": False}
    of_room = layered(
        rounds(9, 20), options={**options, "force-compact.of": "room"}, limits={"working": "85%"}, window=3_000
    )
    of_window = layered(rounds(9, 20), options=options, limits={"working": "85%"}, window=3_000)
    assert "force-compacted" in problems(of_room)
    assert "force-compacted" not in problems(of_window)


def test_c8_a_fingerprint_is_the_same_however_its_json_is_written() -> None:
    same = [
        Call("a", "search", '{"query":"Elbe width"}'),
        Call("b", "search", '{ "query" : "Elbe   width" }'),
        Call("c", "search", "Elbe width"),
    ]
    assert {fingerprint(call) for call in same} == {"search:Elbe width"}
    assert fingerprint(Call("a", "f", '{"b":1,"a":2}')) == fingerprint(Call("a", "f", '{"a":2,"b":1}'))


def test_c8_answered_calls_are_on_the_board_and_open_ones_are_not() -> None:
    messages = [
        system(),
        user(),
        calls("c1", arguments='{"place":"Oslo"}'),
        result("c1"),
        calls("c2", arguments='{"place":"Bergen"}'),
    ]
    board = board_of(layered(messages))
    assert "get_weather:Oslo" in board
    assert "Bergen" not in board


def test_c10_recall_needs_the_threshold_and_a_word_of_the_sub_task() -> None:
    documents = [
        document("doc-01", "The river is wide at Hamburg.", 0.71),
        document("doc-02", "The river is wide at Dresden.", 0.69),
        document("doc-03", "Bread is baked at night.", 0.95),
        document("doc-04", words(400, "river"), 0.99),
    ]
    trace = layered([system(), user("How wide is the river?")], {"documents": documents})
    told = {key: rules(trace, "recall", key) for key in ("doc-01", "doc-02", "doc-03", "doc-04")}
    assert told == {"doc-01": ["recalled"], "doc-02": ["below-threshold"], "doc-03": ["no-keyword"], "doc-04": ["cap"]}


def test_c10_without_scores_bm25_decides_on_its_own_scale() -> None:
    documents = [document("doc-01", "The river is wide at Hamburg."), document("doc-02", "Bread is baked at night.")]
    trace = layered([system(), user("How wide is the river?")], {"documents": documents})
    assert rules(trace, "recall", "doc-01") == ["recalled"]
    assert rules(trace, "recall", "doc-02") == ["below-threshold"]


def test_c10_the_articles_code_never_fills_its_recall_layer() -> None:
    trace = layered([system(), user("How wide is the river?")], SOURCES, variant="article")
    assert rules(trace, "recall", "doc-01") == ["article-never-recalled"]
    assert "Hamburg" not in payload_text(trace)


@pytest.mark.parametrize("window", [1_000, 1_600, 2_500, 4_000, 8_000])
@pytest.mark.parametrize("count", [1, 4, 12])
def test_the_laws_hold_at_every_fill(window: int, count: int) -> None:
    trace = layered(rounds(count), SOURCES, window=window)
    laws.check(trace.to_json(), valid_input=True)


def test_c16_instructions_can_be_said_again_near_the_end_and_the_cost_is_told():
    scenario = Scenario.load("ctxcore/scenarios/competitors.json")
    once = build(scenario, system="layered", window=8_000)
    twice = build(scenario, system="layered", window=8_000, options={"layer-layout.repeat": "on"})
    said = scenario.messages[0]["content"]
    assert [message["content"] for message in twice.messages].count(said) == 2
    assert [message["content"] for message in once.messages].count(said) == 1
    told = next(problem for problem in twice.snapshots[-1].problems if problem.rule == "instructions-repeated")
    assert 0 < told.facts["cost"] <= twice.totals.total - once.totals.total
    assert count_request({"messages": twice.messages, "tools": twice.tools}, "gpt-4o").total == twice.totals.total


def test_c2_a_board_of_many_calls_leaves_the_rounds_their_room() -> None:
    board = Board(goal="Find it.", done=tuple(f"search:river number {n}" for n in range(400)))
    shown = board.within(200, lambda text: len(text.split()))
    assert shown.done[0] == f"(+{400 - len(shown.done) + 1})"
    assert shown.done[-1] == "search:river number 399"
    assert sum(len(entry.split()) for entry in shown.done) <= 200
    assert board.within(0, len).done[1:] == board.done[-5:]
    assert board.within(10_000, lambda text: len(text.split())) is board
