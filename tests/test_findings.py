"""Findings: article 3's troubleshooting table (c15) and article 2's six mistakes (b20), shown and kept quiet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from ctxcore import Scenario, Settings, Trace, build
from ctxcore.agent.fidelity import facts_of, lost
from ctxcore.agent.loop import react
from ctxcore.agent.scripted import play, script
from ctxcore.agent.step import Step
from ctxcore.agent.tools import Tool, one_argument
from ctxcore.fakes import ScriptedModel
from ctxcore.findings import Finding, findings_of_run, findings_of_trace
from ctxcore.item import Call
from ctxcore.model.replies import ModelError, Reply
from ctxcore.words import templates
from tests.build import assistant, built, calls, document, result, scenario, system, talk, user, words

HEALTHY = ("retention-analysis", "context-assistant")
RESULT = "The Rhine at Cologne is 400 metres wide, says Anna Weber. Our conclusion: it is wide."
OSLO, BERGEN = '{"place":"Oslo"}', '{"place":"Bergen"}'


def rules(found: Sequence[Finding]) -> list[str]:
    for one in found:
        assert one.says("en") != one.says("zh")
        assert not one.remedy or one.cure("en") != one.cure("zh")
        json.dumps(one.to_json("zh"))
    return [one.rule for one in found]


def found_in(messages: list[dict[str, Any]], **more: Any) -> list[str]:
    return rules(findings_of_trace(built(messages, **more)))


def repeated(between: int = 0, text: str = RESULT) -> list[dict[str, Any]]:
    """The same call twice, with other calls between them."""
    others = [
        m
        for at in range(between)
        for m in (
            calls(f"o{at}", arguments=json.dumps({"place": f"town{at}"})),
            result(f"o{at}", words(20, f"town{at}")),
        )
    ]
    return [
        system(),
        user("How wide is the Rhine?"),
        calls("c1", arguments=OSLO),
        result("c1", text),
        *others,
        calls("c2", arguments='{ "place": "Oslo" }'),
        result("c2", text),
    ]


def run(replies: Sequence[Any], answers: str = RESULT, **more: Any) -> list[Step]:
    tool = Tool("search", "Searches.", one_argument("query", "words"), lambda query: answers)
    opening = scenario([system("Work in steps."), user("How wide is the Rhine at Cologne?")])
    return list(
        react(
            opening, ScriptedModel(replies), (tool,), **{"settings": Settings(system="layered", window=8_000), **more}
        )
    )


def asks(argument: str) -> Reply:
    return Reply("", (Call("", "search", json.dumps({"query": argument})),))


# -- no false alarm ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", HEALTHY)
@pytest.mark.parametrize("system_name", [None, "gssc", "compiler"])
def test_c15_healthy_scenarios_raise_no_alarm(name: str, system_name: str | None) -> None:
    trace = build(Scenario.load(f"ctxcore/scenarios/{name}.json"), system=system_name)
    assert [one for one in findings_of_trace(trace) if one.severity != "info"] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_c15_the_managed_run_of_the_scripted_agent_raises_no_alarm(lang: str) -> None:
    assert findings_of_run(tuple(play(script(lang=lang)))) == ()


def test_a_plain_chat_raises_no_alarm() -> None:
    assert found_in([system(), *talk(4), user()]) == []
    assert findings_of_run(()) == ()


# -- c15: repeated calls, in the article's order -----------------------------------------------


def test_c15_a_repeated_call_whose_record_is_gone() -> None:
    found = found_in(
        repeated(9), system="compiler", window=1_200, options={"conversation-compactor.overflow": "truncate"}
    )
    assert "find-repeat-record" in found


def test_c15_a_repeated_call_that_no_board_lists() -> None:
    assert found_in(repeated(), system="compiler") == ["find-repeat-board"]


def test_c15_a_repeated_call_whose_result_cannot_be_known_again() -> None:
    # The result is long, the window short: what is left of it holds few of its facts.
    text = " ".join(f"Town {at} lies at kilometre {at * 37} of the Rhine." for at in range(90))
    options = {"trim-working.keep_rounds": 9}
    assert "find-repeat-observation" in found_in(repeated(text=text), system="layered", window=1_400, options=options)


def test_c15_a_repeated_call_although_everything_was_sent() -> None:
    found = findings_of_trace(built(repeated(), system="layered"))
    assert rules(found) == ["find-repeat-unheeded"]
    assert found[0].items == ("turn-0003", "turn-0004")
    assert found[0].facts["again"] == 4


def test_c15_to_look_again_at_what_changed_is_no_repetition() -> None:
    messages = repeated()
    messages[-1] = result("c2", "It is 390 metres wide by now.")
    assert found_in(messages, system="compiler") == []


def test_c15_repeated_calls_of_a_run() -> None:
    replies = [asks("Rhine"), asks("Rhine"), Reply("Final Answer: 400")]
    assert rules(findings_of_run(run(replies))) == ["find-repeat-answered"]
    bare = findings_of_run(run(replies, managed=False))
    assert rules(bare) == ["find-repeat-board"]
    assert bare[0].step == 2


# -- c15: the other rows of the table ----------------------------------------------------------


def test_c15_an_overlong_context_and_b20_no_limits() -> None:
    messages = [system(), *talk(6, 10), user()]
    assert found_in(messages, system="raw", window=1_500)[:2] == ["find-overlong", "find-no-limits"]
    managed = found_in(messages, system="compiler", window=1_500)
    assert "find-no-limits" not in managed
    assert "find-overlong" not in managed


def test_c15_an_early_instruction_is_lost_in_the_middle() -> None:
    messages = [system(), *talk(4, 8), {"role": "system", "content": "Answer in metres."}, *talk(4, 8), user()]
    trace = built(messages, system="raw", window=2_400)
    (one,) = (one for one in findings_of_trace(trace) if one.rule == "find-early-instruction")
    assert one.items == ("system-02",)
    roomy = built(messages, system="raw", window=64_000)
    assert "find-early-instruction" not in rules(findings_of_trace(roomy))


def test_c15_results_in_different_shapes() -> None:
    page = "<html><body><p>" + words(12) + "</p></body></html>"
    messages = [
        system(),
        user(),
        calls("c1", "c2"),
        result("c1", page),
        result("c2", json.dumps({"text": words(12)})),
        user("And?"),
    ]
    found = {one.rule: one for one in findings_of_trace(built(messages))}
    assert found["find-mixed-formats"].severity == "warning"
    assert found["find-mixed-formats"].facts["kinds"] == "1 html, 1 json"
    messages[3] = result("c1", words(12))
    found = {one.rule: one.severity for one in findings_of_trace(built(messages))}
    assert found == {"find-mixed-formats": "info", "find-waste-near": "warning"}  # both say the same words
    messages[3] = result("c1", "12")
    assert found_in(messages) == []


def test_c15_the_goal_is_gone_or_far_from_the_end() -> None:
    state = {"id": "state-01", "value": {"goal": "Find the widest place of the Rhine", "done": []}}
    made = [
        m
        for at in range(8)
        for m in (
            calls(f"c{at}", arguments=json.dumps({"place": f"town{at}"})),
            result(f"c{at}", words(30, f"town{at}")),
        )
    ]
    messages = [system(), user("Begin."), *made]
    assert "find-goal-far" in found_in(messages, system="gssc", sources={"state": state})
    assert "find-goal-far" not in found_in(messages, system="layered", sources={"state": state})
    without = built(messages, system="gssc", sources={"state": state}, limits={"state": "0"})
    assert "find-goal-lost" in rules(findings_of_trace(without))


def test_c15_a_stale_board() -> None:
    state = {"id": "state-01", "value": {"goal": "Measure", "done": ["get_weather:Oslo"]}}
    messages = [
        system(),
        user(),
        calls("c1", arguments=OSLO),
        result("c1"),
        calls("c2", arguments=BERGEN),
        result("c2"),
    ]
    (one,) = findings_of_trace(built(messages, sources={"state": state}))
    assert (one.rule, one.facts["first"], one.items) == ("find-stale-board", "get_weather:Bergen", ("state-01",))
    assert found_in(messages, sources={"state": state}, system="layered") == []


def test_c15_a_board_that_lags_behind_the_run() -> None:
    replies = [asks("Rhine"), asks("Elbe"), Reply("Final Answer: 400")]
    article = findings_of_run(run(replies, settings=Settings(system="layered", variant="article", window=8_000)))
    assert ("find-stale-board", 2) in [(one.rule, one.step) for one in article]


def test_c15_polluted_recall() -> None:
    documents = [document("doc-01", "The Rhine is wide.", 0.8), document("doc-02", "Bread is baked at night.", 0.9)]
    messages = [system(), user("How wide is the Rhine?")]
    (one,) = findings_of_trace(built(messages, sources={"documents": documents}, system="gssc"))
    assert (one.rule, one.items) == ("find-polluted-recall", ("doc-02",))
    assert found_in(messages, sources={"documents": documents}, system="layered") == []


def test_c15_over_compression_names_what_is_lost() -> None:
    messages = [
        system(),
        user("Where is the ford?"),
        calls("c1"),
        result("c1", " ".join(f"Ford {at} lies near Sankt Goar at {at * 31}." for at in range(60))),
    ]
    trace = built(messages, system="layered", window=1_000)
    (one,) = (one for one in findings_of_trace(trace) if one.rule == "find-over-compression")
    assert (one.severity, one.items) == ("warning", ("turn-0004",))
    assert one.facts["numbers"] > 40
    assert str(one.facts["first"]) in one.says()


def test_c15_what_must_be_kept_and_is_lost() -> None:
    talked = scenario([system(), user("The code is 4711."), assistant(), *talk(6, 8), user()], must_keep=["4711"])
    trace = build(talked, system="compiler", window=600, options={"conversation-compactor.overflow": "truncate"})
    assert "find-must-keep-lost" in rules(findings_of_trace(trace))


# -- c14: what counts as a fact ----------------------------------------------------------------


def test_c14_numbers_names_and_conclusions() -> None:
    facts = facts_of(RESULT)
    assert (facts.numbers, facts.names, facts.conclusions) == (
        ("400",),
        ("Rhine", "Cologne", "Anna Weber"),
        ("Our conclusion: it is wide.",),
    )
    assert facts_of("共 1,200 元，增长 12 %。见《年报》。结论：可行。").all == ("1,200", "12 %", "年报", "结论：可行。")
    gone = lost(RESULT, "It is 400 metres wide, says Anna Weber.")
    assert (gone.numbers, gone.names, len(gone.conclusions)) == ((), ("Rhine", "Cologne"), 1)


# -- b20: the six mistakes ---------------------------------------------------------------------


def test_b20_compaction_below_its_share() -> None:
    messages = [system(), *talk(6, 12), user()]
    assert "find-early-compaction" in found_in(messages, system="layered", variant="article")
    assert "find-early-compaction" not in found_in(messages, system="layered")


def test_b20_a_system_prompt_over_its_share() -> None:
    found = findings_of_trace(built([system(words(40)), user()], system="gssc", window=2_000))
    assert rules(found) == ["find-system-share"]
    assert found[0].items == ("system-01",)


def test_a_limit_that_keeps_out_what_the_room_would_hold_is_told_with_the_one_that_holds_it() -> None:
    messages = [system(), *talk(8, 20), user()]
    trace = built(messages, system="gssc", window=8_000)
    found = next(one for one in findings_of_trace(trace) if one.rule == "find-ceiling")
    lost = [item.id for item in trace.inputs if item.id not in {kept.id for kept in trace.final.items}]
    assert (found.severity, sorted(found.items)) == ("warning", sorted(lost))
    raised = built(messages, system="gssc", window=8_000, limits={found.facts["limit"]: str(found.facts["to"])})
    assert {item.id for item in raised.final.items} >= set(found.items)
    assert "find-ceiling" not in found_in(messages, system="gssc", window=128_000)


def test_b20_chunks_too_large_too_small_or_cut() -> None:
    def of(*texts: str) -> list[str]:
        documents = [document(f"doc-{at:02d}", text, 0.9) for at, text in enumerate(texts, 1)]
        return found_in(
            [system(), user("How wide is the river number 3?")],
            sources={"documents": documents},
            system="compiler",
            window=8_000,
        )

    whole = [words(30, f"river of reach {at}") for at in range(3)]
    assert of(*whole) == []
    assert of(*whole, words(120)) == ["find-ceiling", "find-chunks-large"]
    assert of(*(text[:-7] for text in whole)) == ["find-chunks-cut"]
    assert of("A wide river.", "River bed.", "The river.") == ["find-chunks-small"]


def test_b19_a_window_above_the_models_own() -> None:
    trace = built([system(), user()], model="llama3-70b-8192", window=32_000, system="compiler")
    expected = ["find-window-over-model"] if trace.model.is_known and trace.model.window < 32_000 else []
    assert rules(findings_of_trace(trace)) == expected
    assert "find-window-over-model" in found_in([system(), user()], model="gpt-4", window=32_000)


# -- runs --------------------------------------------------------------------------------------


def test_c15_the_unmanaged_run_of_the_scripted_agent() -> None:
    found = findings_of_run(tuple(play(script(), managed=False)))
    steps = {one.rule: one.step for one in found}
    assert steps["find-ended-window-overflow"] == 7
    assert steps["find-repeat-board"] == 5
    assert steps["find-overlong"] == steps["find-no-limits"] == 6
    assert "find-goal-far" in rules(found)


@pytest.mark.parametrize(
    ("replies", "more", "rule"),
    [
        ([asks("a"), asks("b")], {"max_steps": 2}, "find-ended-max-steps"),
        ([ModelError("server", "500")], {}, "find-ended-model-error"),
        (["Thought: hm"], {"max_steps": 1}, "find-unread"),
        ([Reply("Final Answer: 4", prompt_tokens=1)], {}, "find-count-differs"),
        ([asks("a")], {"stop": lambda: True}, "find-ended-stopped"),
    ],
)
def test_how_a_run_ended_and_what_was_odd(replies: list[Any], more: dict[str, Any], rule: str) -> None:
    assert rule in rules(findings_of_run(run(replies, **more)))


def test_every_rule_of_the_findings_has_words_in_both_languages() -> None:
    english, chinese = ({key for key in templates(lang) if key.startswith("find-")} for lang in ("en", "zh"))
    assert english == chinese
    assert len(english) > 40


def test_the_trace_is_only_read() -> None:
    trace: Trace = built(repeated(), system="layered")
    before = json.dumps(
        {**trace.to_json(), "stages": [s["decisions"] for s in trace.to_json()["stages"]]}, sort_keys=True
    )
    findings_of_trace(trace)
    assert before == json.dumps(
        {**trace.to_json(), "stages": [s["decisions"] for s in trace.to_json()["stages"]]}, sort_keys=True
    )
