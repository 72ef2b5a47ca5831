"""The nine laws, as properties of whole pipelines over generated scenarios and settings, and what they once caught."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxcore import Scenario, Trace, build
from tests import laws, strategies
from tests.build import built, calls, ids, image, record, result, rules, system, talk, tool_result, user, words

Json = dict[str, Any]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
WHOLE = settings(max_examples=120, deadline=None, suppress_health_check=SLOW)
FEWER = settings(WHOLE, max_examples=60)
REPAIRED = strategies.settings(("gssc", "compiler", "layered"), ("repaired",))


def run(data: Json, asked: Json) -> Trace:
    return build(Scenario.from_json(data), **asked)


# -- 1, 2, 3, 5, 6, 9: what one trace shows ----------------------------------------------------


@given(strategies.scenarios(), strategies.settings())
@WHOLE
def test_laws_of_any_system(data: Json, asked: Json) -> None:
    trace = run(data, asked)
    valid = laws.is_valid(trace.scenario.messages, trace.scenario.tools)
    laws.check(trace.to_json(), valid_input=valid, holds_limits=strategies.holds_limits(asked))


@given(strategies.scenarios(broken=False), REPAIRED)
@WHOLE
def test_laws_of_repaired_systems_on_valid_input(data: Json, asked: Json) -> None:
    trace = run(data, asked)
    valid = laws.is_valid(trace.scenario.messages, trace.scenario.tools)
    laws.check(trace.to_json(), valid_input=valid, holds_limits=strategies.holds_limits(asked))


@st.composite
def private(draw: st.DrawFn) -> Json:
    """Addresses in some of the messages, so that of a call and its results only some hold one."""
    data = draw(strategies.scenarios(broken=False))
    for message in data["messages"]:
        if isinstance(message["content"], str) and draw(st.booleans()):
            message["content"] += " ann@example.com"
    return data


@given(private(), st.sampled_from(("redact", "block")), st.sampled_from(strategies.SYSTEMS), st.integers(1, 8_000))
@WHOLE
def test_laws_where_private_data_is_masked_or_blocked(data: Json, action: str, name: str, window: int) -> None:
    options = {"guardrail.enabled": True, "guardrail.action": action}
    trace = run(data, {"system": name, "window": window, "options": options})
    valid = laws.is_valid(trace.scenario.messages, trace.scenario.tools)
    written = trace.to_json()
    laws.check(written, valid_input=valid, holds_limits=False)
    assert "ann@example.com" not in json.dumps(written)


@given(
    strategies.scenarios(),
    strategies.settings(("gssc",)),
    st.permutations(("gather", "select", "summarize")),
    st.booleans(),
)
@FEWER
def test_laws_whatever_the_order_of_select_and_summarize(
    data: Json, asked: Json, order: list[str], twice: bool
) -> None:
    chosen = [name for name in order if name != "gather"]
    stages = ("gather", *chosen, *(chosen if twice else ()), "construct")
    laws.check(run(data, {**asked, "stages": stages}).to_json(), holds_limits=False)


@given(
    strategies.scenarios(),
    strategies.settings(("gssc", "compiler")),
    st.sampled_from(("gather", "static-content-loader")),
    st.data(),
)
@FEWER
def test_laws_of_stages_of_all_systems_mixed(data: Json, asked: Json, first: str, drawn: st.DataObject) -> None:
    middle = (
        "select",
        "summarize",
        "conversation-compactor",
        "tool-result-compactor",
        "retrieval-injector",
        "guardrail",
    )
    limited = {"gssc": ("select", "summarize", "tool-result-compactor", "guardrail"), "compiler": middle[2:]}[
        asked["system"]
    ]
    chosen = drawn.draw(st.lists(st.sampled_from(limited), unique=True, max_size=3))
    last = drawn.draw(st.sampled_from(("construct", "final-assembler")))
    mixed = {**asked, "variant": "repaired", "options": {}, "stages": (first, *chosen, last)}
    laws.check(run(data, mixed).to_json(), holds_limits=False)


UNSAFE = {
    "gssc": (
        "select.whole_groups=false",
        "construct.safety_net=false",
        "construct.first_only=true",
        "construct.text_only=true",
    ),
    "compiler": (
        "conversation-compactor.whole_groups=false",
        "final-assembler.net=pop-first",
        "final-assembler.text_only=true",
    ),
}


@given(strategies.scenarios(), st.sampled_from(("gssc", "compiler")), strategies.windows, st.data())
@FEWER
def test_laws_where_an_option_asks_for_a_fault_of_the_article(
    data: Json, name: str, window: int, drawn: st.DataObject
) -> None:
    """The promise that the option takes back is off, all others stand."""
    chosen = drawn.draw(st.lists(st.sampled_from(UNSAFE[name]), unique=True, min_size=1))
    trace = run(data, {"system": name, "window": window, "options": dict(option.split("=") for option in chosen)})
    laws.check(trace.to_json(), holds_room="net" not in "".join(chosen), holds_pairs=False, holds_limits=False)


# -- 4 identity --------------------------------------------------------------------------------


@given(
    strategies.scenarios(),
    st.sampled_from(("gssc", "compiler")),
    st.sampled_from(("summarize", "truncate", "prioritize")),
)
@FEWER
def test_law_4_far_below_every_limit_nothing_changes(data: Json, name: str, overflow: str) -> None:
    options = {"conversation-compactor.overflow": overflow} if name == "compiler" else {}
    limits = dict.fromkeys(strategies.LIMITS[name], "90%")
    unchanged(run(data, {"system": name, "window": 2_000_000, "limits": limits, "options": options}))


@given(strategies.scenarios(), st.integers(1, 12_000), strategies.settings(("gssc",), ("repaired",)))
@WHOLE
def test_law_4_just_below_every_limit_nothing_changes(data: Json, window: int, asked: Json) -> None:
    """The caps as they come out, and the room as `raw` fills it: where both hold everything, all is kept."""
    plain = {"window": window, "reserve": 0, "limits": asked["limits"], "query": asked["query"]}
    trace = run(data, {**plain, "system": "gssc"})
    if below_every_limit(trace, run(data, {**plain, "system": "raw", "limits": {}})):
        unchanged(trace)


def below_every_limit(trace: Trace, raw: Trace) -> bool:
    items = trace.snapshots[0].items
    heads = 6 * sum(not item.message for item in items) + 40  # headings and joints, which raw does not have
    if raw.totals.total + heads > trace.budget.room:
        return False
    caps = trace.budget.caps()
    names = {"system": "system", "state": "state", "doc": "docs", "tool": "tools"} | dict.fromkeys(
        ("note", "memory", "profile"), "notes"
    )
    used: dict[str, int] = {}
    for item in items:
        name = names.get(str(item.source), "recent")
        used[name] = used.get(name, 0) + item.tokens
    return all(tokens <= caps[name] for name, tokens in used.items())


def unchanged(trace: Trace) -> None:
    for snapshot in trace.snapshots:
        if snapshot.name in ("select", "summarize", "conversation-compactor", "tool-result-compactor", "guardrail"):
            assert {decision.action for decision in snapshot.decisions} <= {"kept"}
            assert [(item.id, item.parts) for item in snapshot.items] == [
                (item.id, item.parts) for item in snapshot.before.items
            ]


@given(strategies.scenarios(broken=False))
@FEWER
def test_raw_gives_a_request_back_as_it_came(data: Json) -> None:
    request = {"messages": data["messages"], "tools": data.get("tools", [])}
    source = Scenario.from_json({"schema": "ctxcore.scenario/1", **request})
    trace = build(source, system="raw", window=100)
    assert trace.messages == list(source.messages)
    assert trace.tools == list(source.tools)


# -- 7 determinism, 8 purity -------------------------------------------------------------------


@given(strategies.scenarios(), strategies.settings())
@FEWER
def test_law_7_twice_the_same(data: Json, asked: Json) -> None:
    first = run(data, asked).to_json()
    other = {**asked, "window": asked["window"] + 7, "limits": {}}
    run(data, other)  # what another budget left in the caches must not show
    assert laws.comparable(run(data, asked).to_json()) == laws.comparable(first)


TWO_PROCESSES = """
import hashlib, json, sys
from ctxcore import Scenario, build
for path in sys.argv[1:]:
    for system in ("gssc", "compiler", "raw"):
        for window in (700, 3000):
            trace = build(Scenario.load(path), system=system, window=window).to_json()
            for stage in trace["stages"]:
                del stage["seconds"]
            print(system, window, hashlib.sha256(json.dumps(trace).encode()).hexdigest())
"""


def test_law_7_in_two_processes(tmp_path: Any) -> None:
    from ctxcore import __path__ as package

    names = ("support-chat", "chinese-service", "coding-agent", "context-assistant")
    files = [f"{package[0]}/scenarios/{name}.json" for name in names]
    called = [sys.executable, "-c", TWO_PROCESSES, *files]
    running = [
        subprocess.Popen(called, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True)
        for seed in ("1", "2")
    ]
    first, second = (process.communicate(timeout=300)[0] for process in running)
    assert first.count("\n") == 24
    assert first == second


@given(strategies.scenarios(), strategies.settings())
@FEWER
def test_law_8_what_was_given_stays_as_it_was(data: Json, asked: Json) -> None:
    data_before, asked_before = copy.deepcopy(data), copy.deepcopy(asked)
    source = Scenario.from_json(data)
    messages, written = copy.deepcopy(source.messages), source.to_json()
    trace = build(source, **asked)
    first = copy.deepcopy((trace.messages, trace.tools))
    for message in trace.messages:
        spoil(message)
    for tool in trace.tools:
        spoil(tool)
    assert (trace.messages, trace.tools) == first
    assert source.messages == messages
    assert source.to_json() == written
    assert data == data_before
    assert asked == asked_before


def spoil(value: Any) -> None:
    """Change all that can be changed, at every depth."""
    inner = list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []
    for one in inner:
        spoil(one)
    if isinstance(value, dict | list):
        value.clear()


@given(st.integers(1, 300), st.integers(0, 400), st.sampled_from(("gssc", "compiler")))
def test_a_reserve_that_takes_the_window_is_a_trace_that_does_not_fit(window: int, reserve: int, name: str) -> None:
    trace = built([system(), user()], system=name, window=window, reserve=reserve)
    laws.check(trace.to_json(), valid_input=True)
    assert trace.budget.reserve == reserve  # one that the user sets is never altered
    assert trace.exit_code == (0 if trace.fits else 3)
    assert trace.fits == (trace.floor <= window - reserve)


# -- what the laws once caught -----------------------------------------------------------------


def test_an_unanswered_result_is_conversation_in_the_article_without_groups() -> None:
    messages = [result("call_0", ""), calls("call_0")]
    laws.check(built(messages, variant="article", window=1).to_json())


def test_a_call_and_its_result_stand_together_in_the_history() -> None:
    """The result counts to `tools` and its call to `history`: both stand in the history, where the call stands."""
    messages = [calls("call_0"), result("call_0"), *talk(6), user()]
    trace = built(messages, window=900, limits={"recent": 200, "history": 700})
    order = [message["role"] for message in trace.messages]
    at = order.index("tool")
    assert order[at - 1] == "assistant"
    assert at < len(order) - 3
    laws.check(trace.to_json(), valid_input=True)


def test_a_pinned_old_turn_keeps_its_place_in_time() -> None:
    trace = built([*talk(8), user()], window=900, limits={"recent": 200}, pins=("brook1 number 1 ",))
    turns = [item.turn for item in trace.final.items]
    assert turns == sorted(turns)
    assert "turn-0003" in ids(trace)


def test_a_system_text_within_the_conversation_keeps_its_place() -> None:
    messages = [*talk(2), system("From here on: answer in verse."), *talk(4), user()]
    trace = built(messages, window=1_000, limits={"recent": 200})
    assert [item.turn for item in trace.final.items] == sorted(item.turn for item in trace.final.items)


def test_an_empty_text_is_not_left_alone_by_its_picture() -> None:
    """The picture goes, and the message with it: a provider refuses a user who says nothing."""
    trace = built([image("", detail="low"), user("ok")], window=13)
    assert trace.messages == [user("ok")]
    laws.check(trace.to_json(), valid_input=True)


@pytest.mark.parametrize("name", ["raw", "gssc", "compiler"])
def test_a_record_that_says_nothing_makes_no_message(name: str) -> None:
    trace = built([user()], sources={"tool_results": [tool_result("tool-01", "", tool="")]}, system=name)
    assert [message["role"] for message in trace.messages] == ["user"]
    assert "says-nothing" in rules(trace, trace.snapshots[-1].name, "tool-01")
    laws.check(trace.to_json(), valid_input=True)


def test_a_result_without_its_call_costs_no_tool_s_name() -> None:
    """Groups switched off: the call is dropped, its result stays, and the bill is that of the payload as it stands."""
    messages = [user(""), user(""), calls("c1", "c2"), result("c2", words(9)), result("c1", "river")]
    trace = built(messages, window=40, options={"select.whole_groups": "false", "select.admit_compressed": "false"})
    assert [message["role"] for message in trace.messages] == ["user", "user", "tool"]
    laws.check(trace.to_json(), holds_pairs=False)


@pytest.mark.parametrize("name", ["gssc", "compiler"])
def test_a_section_without_items_has_no_heading(name: str) -> None:
    trace = built([system(), user()], sources={"notes": [record("note-01", "a note")]}, system=name)
    said = str(trace.messages[0]["content"])
    assert "状态" not in said
    assert "STATE" not in said
    assert "CONTEXT" not in said


def test_what_cannot_be_compressed_takes_its_call_along() -> None:
    """A result of blanks, and no room beside the mark: call and result go together."""
    messages = [user(), calls("c1"), result("c1", words(40)), user("And?")]
    options = {"select.min_target": 1, "summarize.marker": "压缩" * 40}
    trace = built(messages, window=8_000, limits={"tools": 20}, options=options)
    assert rules(trace, "summarize", "turn-0003") == ["cannot-compress"]
    assert rules(trace, "summarize", "turn-0002") == ["message-gone"]
    laws.check(trace.to_json(), valid_input=True)


def test_blanks_are_cut_where_no_sentence_can_be_kept() -> None:
    trace = built([user("\n \n" * 3_000), user()], window=400)
    assert "to-target" in rules(trace, "summarize", "turn-0001")
    laws.check(trace.to_json(), valid_input=True)


def test_the_mark_is_part_of_the_aim() -> None:
    """Before a run of one letter, the blank behind the mark breaks a token in two."""
    trace = built([user("x" * 4_000), user("")], window=117)
    laws.check(trace.to_json())


def test_newest_messages_that_cannot_shrink_enough_go_after_all() -> None:
    """The question alone is over the history's share: what was merely halved before it does not stay."""
    messages = [user(words(30)), user(words(31))]
    trace = built(messages, system="compiler", window=664, reserve=0)
    assert ids(trace) == ["turn-0002"]
    laws.check(trace.to_json(), valid_input=True)


@pytest.mark.parametrize("name", ["gssc", "compiler"])
def test_a_pin_over_its_limit_is_said(name: str) -> None:
    sources = {"memory": [record("memory-01", words(300))]}
    trace = built(
        [user()],
        sources=sources,
        system=name,
        window=8_000,
        limits={} if name == "compiler" else {"notes": 10},
        pins=("memory-01",),
    )
    assert "memory-01" in ids(trace)
    assert any(p.rule == "over-cap" for snapshot in trace.snapshots for p in snapshot.problems)
    laws.check(trace.to_json(), valid_input=True)


def test_memory_is_held_by_the_compiler_s_share_of_system() -> None:
    sources = {"memory": [record("memory-01", "Likes bullets."), record("memory-02", words(100))]}
    trace = built([system(), *talk(4), user()], sources=sources, system="compiler", window=3_000)
    assert rules(trace, "final-assembler", "memory-02") == ["cap"]
    assert set(rules(trace, "conversation-compactor")) == {"untouched"}  # nothing pays for what is not written
    assert "memory-01" in ids(trace)
