"""Repair: what comes out lints clean, for every provider and in every system; and each thing done has its rule."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore import Scenario, build
from ctxcore.linting.lint import PROVIDERS, lint
from ctxcore.linting.repairing import repairs
from ctxcore.linting.stages import lint_stages
from ctxcore.stages.repair import with_repair
from ctxcore.systems import SYSTEMS
from tests import laws
from tests.build import rules
from tests.test_lint import USER, calls, conversation, damaged, result

STAGES = {name: with_repair([stage.name for stage in system.repaired]) for name, system in SYSTEMS.items()}


def errors(messages, provider="openai"):
    found = [one.rule for one in lint(messages, (), provider) if one.severity == "error"]
    return [rule for rule in found if rule != "messages-empty"]


def repaired(messages, system="raw", **more):
    scenario = Scenario.from_messages(messages)
    return build(scenario, system=system, stages=STAGES[system], window=100_000, reserve=0, **more)


@pytest.mark.parametrize(
    ("messages", "item", "rule"),
    [
        ([USER, result("a"), USER], "turn-0002", "repair-orphan"),
        ([USER, calls("a")], "turn-0002", "repair-unanswered"),
        ([USER, calls("a"), result("a"), result("a")], "turn-0004", "repair-twice"),
        ([USER, {"role": "user", "content": ""}, USER], "turn-0002", "repair-empty"),
        ([USER, calls("a", name="no spaces"), result("a")], "turn-0002", "repair-shape"),
        ([USER, {"role": "human", "content": "hi"}], "turn-0002", "repair-shape"),
    ],
)
def test_each_repair_has_its_rule(messages, item, rule):
    trace = repaired(messages)
    assert rules(trace, "repair", item) == [rule]
    assert errors(trace.messages) == []


def test_a_displaced_result_moves_behind_its_call():
    trace = repaired([USER, calls("a"), USER, result("a")])
    assert [message["role"] for message in trace.messages] == ["user", "assistant", "tool", "user"]
    assert any(d.rule == "repair-order" for d in trace.snapshots[1].decisions)


def test_an_answered_call_stays_when_the_one_beside_it_goes():
    trace = repaired([USER, calls("a", "b"), result("a")])
    assert [call["id"] for call in trace.messages[1]["tool_calls"]] == ["a"]
    assert errors(trace.messages) == []


def test_what_is_acceptable_stays_as_it_is():
    messages = [USER, calls("a", "b"), result("b"), result("a", "")]
    trace = repaired(messages)
    assert trace.messages == messages
    assert {d.rule for d in trace.snapshots[1].decisions} == {"untouched"}


def test_arguments_that_another_provider_refuses_become_an_object():
    messages = [USER, calls("a", arguments="not json"), result("a")]
    (call,) = repaired(messages, options={"repair.provider": "anthropic"}).messages[1]["tool_calls"]
    assert call["function"]["arguments"] == '{"arguments": "not json"}'
    assert repaired(messages).messages == messages


broken = damaged(conversation).filter(lambda one: isinstance(one, list)) | conversation.flatmap(st.permutations)


@pytest.mark.parametrize("provider", PROVIDERS)
@given(messages=broken)
@settings(max_examples=150, deadline=None)
def test_what_is_repaired_lints_clean(provider, messages):
    given_messages = [one for one in messages if isinstance(one, dict)]
    out = [one.message for one in repairs(given_messages, provider) if one.message is not None]
    assert errors(out, provider) == []
    assert [one for one in repairs(out, provider) if one.rule] == []  # and there is nothing left to do


@pytest.mark.parametrize("system", STAGES)
@given(messages=conversation.flatmap(st.permutations), provider=st.sampled_from(PROVIDERS))
@settings(max_examples=40, deadline=None)
def test_every_system_sends_what_lints_clean(system, messages, provider):
    trace = repaired(messages, system, options={"repair.provider": provider})
    assert errors(trace.messages) == []
    laws.check(trace.to_json())


def test_lint_says_which_stage_mends_what():
    told = lint_stages(repaired([USER, calls("a"), USER], "gssc"))
    assert [one.rule for one in told["gather"] if one.severity == "error"] == ["call-unanswered"]
    assert all(one.severity != "error" for stage in ("repair", "select", "construct") for one in told[stage])


SYSTEM, SAID = {"role": "system", "content": "Be brief."}, {"role": "assistant", "content": "Done."}
REPORTED = {  # what trimming left over in reported bugs, by their number, and what lint must say of it
    "1 first a result": ([SYSTEM, result("a"), USER], "result-without-call"),
    "2 some of a run of results": ([SYSTEM, USER, calls("b"), result("a"), result("b"), USER], "result-without-call"),
    "3 a call whose result is gone": ([SYSTEM, USER, calls("a"), USER], "call-unanswered"),
    "6 a broken chain": ([USER, calls("a"), SAID, result("a"), USER], "result-displaced"),
    "8 an orphan in the middle": ([USER, SAID, result("a"), USER], "result-without-call"),
    "11 one of two is gone": ([USER, calls("a", "b"), result("b"), USER], "call-unanswered"),
    "12 ends in a call": ([SYSTEM, USER, calls("a")], "call-unanswered"),
    "13 a result alone at the end": ([SYSTEM, USER, result("a")], "result-without-call"),
    "14 starts with the assistant": ([SAID, USER], "starts-with-assistant"),
    "17 a call is left open": ([USER, SAID, USER, calls("a"), USER], "call-unanswered"),
    "18 arguments cut off": ([USER, calls("a", arguments='{"city": "Par'), result("a"), USER], "arguments-not-json"),
    "48 an empty text": ([SYSTEM, {"role": "user", "content": ""}, USER], "content-empty"),
    "48 nothing but blanks": ([SYSTEM, {"role": "user", "content": " \n "}, USER], "text-blank"),
}
MILD = {  # where a provider takes it: allowed, or no more than a warning
    "openai": {"starts-with-assistant", "arguments-not-json", "text-blank"},
    "openai-responses": {"starts-with-assistant", "arguments-not-json", "text-blank", "result-displaced"},
    "anthropic": {"starts-with-assistant"},
    "gemini": {"text-blank"},
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("reported", REPORTED)
def test_what_reported_bugs_left_over_is_found_and_one_stage_mends_it(reported, provider):
    messages, rule = REPORTED[reported]
    assert (rule in errors(messages, provider)) is (rule not in MILD[provider])
    trace = repaired(messages, options={"repair.provider": provider})
    assert errors(trace.messages, provider) == []
    assert trace.messages[-1] == messages[-1] or messages[-1] != USER
    laws.check(trace.to_json())
