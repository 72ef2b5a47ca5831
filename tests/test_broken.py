"""What once broke: odd files, odd options, odd terminals. Each has one line of error, or works."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from ctxcore import InputError, Scenario, build
from ctxcore.cli.main import main
from ctxcore.cli.show import harmless
from ctxcore.counting.count import count_request
from ctxcore.counting.tokens import counter_for
from ctxcore.errors import CtxError, StageError
from ctxcore.findings import findings_of_trace
from ctxcore.placing.placement import placement
from ctxcore.stages import STAGES
from ctxcore.systems import SYSTEMS
from tests import laws
from tests.build import built, calls, document, result, talk, user, words

KINDS: list[dict[str, Any]] = [
    {"window": "abc"},
    {"window": True},
    {"window": 1.5},
    {"reserve": "x"},
    {"limits": [1]},
    {"limits": "x"},
    {"options": 5},
    {"pins": [5]},
    {"stages": []},
    {"stages": "gather"},
    {"query": 5},
    {"model": 5},
    {"edits": [{"stage": "gather", "item": "turn-0001", "text": "x"}]},
]


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_settings_of_a_file_that_are_of_another_kind_are_named(settings: dict[str, Any]) -> None:
    scenario = Scenario.from_json({"schema": "ctxcore.scenario/1", "settings": settings, "messages": [user()]})
    with pytest.raises(InputError, match=f"settings.{next(iter(settings))} is "):
        build(scenario)


@pytest.mark.parametrize("text", ["a", "a.", "sk-", "1"])
def test_the_guardrail_takes_a_long_text_without_an_address_in_linear_time(text: str) -> None:
    began = time.perf_counter()
    built([user(text * 100_000)], system="compiler", options={"guardrail.enabled": "on"})
    assert time.perf_counter() - began < 10  # it was minutes


def test_the_guardrail_still_masks_addresses_side_by_side() -> None:
    trace = built([user("a@b.co;c.d@e.f.org")], system="compiler", options={"guardrail.enabled": "on"})
    assert trace.messages[-1]["content"] == "<EMAIL_1>;<EMAIL_2>"


PRIVATE_CALL = '{"to": "a@b.co", "n": 13800138000, "lines": ["ok", "c@d.org"], "k": 7}'


def test_the_guardrail_masks_the_arguments_of_a_call_which_stay_json() -> None:
    messages = [user(), calls("c1", arguments=PRIVATE_CALL), result("c1", "sent to a@b.co"), user("And now?")]
    trace = built(messages, system="compiler", options={"guardrail.enabled": "on"})
    call, answer = trace.messages[1], trace.messages[2]
    arguments = json.loads(call["tool_calls"][0]["function"]["arguments"])
    assert arguments == {"to": "<EMAIL_1>", "n": "<PHONE_1>", "lines": ["ok", "<EMAIL_2>"], "k": 7}
    assert (call["tool_calls"][0]["id"], answer["content"]) == ("c1", "sent to <EMAIL_1>")
    assert count_request({"messages": trace.messages}, "gpt-4o").total == trace.totals.total


@pytest.mark.parametrize(
    ("arguments", "content"), [(PRIVATE_CALL, "done"), ("{}", "from x@y.com"), ("{broken a@b.co", "")]
)
def test_what_the_guardrail_blocks_leaves_no_call_without_its_answer(arguments: str, content: str) -> None:
    messages = [user(), calls("c1", arguments=arguments), result("c1", content), user("And now?")]
    trace = built(messages, system="compiler", options={"guardrail.enabled": "on", "guardrail.action": "block"})
    assert [message["role"] for message in trace.messages] == ["user", "user"]


@pytest.mark.parametrize(
    ("part", "tokens"),
    [
        ({"type": "thinking", "thinking": "one two three", "signature": "x"}, "one two three"),
        ({"type": "unheard-of", "value": "one two three"}, '{"type":"unheard-of","value":"one two three"}'),
        ({"type": "text", "text": ""}, ""),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_part_of_a_kind_that_is_not_known_is_counted_and_seen(part: dict[str, Any], tokens: str) -> None:
    trace = built([user(), {"role": "assistant", "content": [part, {"type": "text", "text": "yes"}]}, user("And?")])
    item = next(item for item in trace.inputs if item.role == "assistant")
    count = counter_for("gpt-4o").count
    assert item.tokens == count(tokens) + count("yes")
    assert tokens in item.text
    assert trace.messages[1]["content"][0] == part


LIMIT_OF_OTHERS = {
    "raw": ("conversation-compactor", "compress-observation", "trim-working", "degrade"),
    "gssc": ("compress-observation", "trim-working", "degrade"),
    "compiler": ("compress-observation", "trim-working", "degrade"),
    "layered": ("select", "conversation-compactor"),
}


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_of_another_system_works_or_says_which_limit_is_not_there(system: str, stage: str) -> None:
    needs = stage in LIMIT_OF_OTHERS[system]
    expected = pytest.raises(StageError, match=f"Stage '{stage}': No limit is called") if needs else nullcontext()
    with expected:
        build(Scenario.from_messages([user(), user("And?")]), system=system, stages=(stage,))


def test_a_condition_of_a_stage_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"--set nope\.when: no stage is called 'nope' here; there are gather"):
        build(Scenario.from_messages([user()]), options={"nope.when": "tokens > 1"})


@pytest.mark.parametrize(
    "stages",
    [5, [5], [{"name": "x"}], [{"name": "x", "items": [{"id": "1"}]}], [{"name": "x", "items": 5}]],
    ids=str,
)
def test_a_broken_trace_is_an_error_of_one_line(stages: Any, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"schema": "ctxcore.trace/1", "stages": stages}))
    assert main(["diff", str(path), str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "option",
    [
        {"select.long_share": "nan"},
        {"select.long_share": "1e308"},
        {"select.long_item": "1" + "0" * 400},
        {"gather.when": "tokens > _"},
        {"gather.when": "tokens > 1" + "0" * 400 + "%"},
    ],
    ids=lambda option: next(iter(option)),
)
def test_numbers_that_are_none_or_too_large_are_refused(option: dict[str, str]) -> None:
    with pytest.raises(InputError):
        built([user(words(40)), user()], options=option)


@pytest.mark.parametrize("given", [{"window": 10**400}, {"reserve": 10**400}, {"limits": {"docs": "1" + "0" * 400}}])
@pytest.mark.parametrize("system", ["gssc", "layered"])
def test_a_budget_of_hundreds_of_digits_is_refused(system: str, given: dict[str, Any]) -> None:
    with pytest.raises(CtxError):
        built([user()], system=system, **given)


@pytest.mark.parametrize(
    ("name", "stages"),
    [("gssc", ("gather", "select", "summarize", "construct") * 2), ("raw", ("gather", "gather", "assemble"))],
)
def test_what_is_gathered_twice_is_there_once(name: str, stages: tuple[str, ...]) -> None:
    sources = {"documents": [document("doc-01", words(60))]}
    trace = built(talk(6), sources=sources, window=900, system=name, stages=stages)
    laws.check(trace.to_json(), holds_limits=False)


def test_where_the_fixed_parts_fit_the_error_does_not_say_that_they_do_not(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([*talk(20), user()]))
    called = ["run", str(path), "--window", "400", "--stages", "gather,construct", "--set", "construct.safety_net=off"]
    assert main(called) == 3
    said = capsys.readouterr().err
    assert "never be dropped" not in said
    assert "over the room" in said


def test_a_window_of_nothing_can_be_looked_at() -> None:
    trace = built([user()], window=0, reserve=0)
    assert placement(trace).fill > 0
    assert "find-overlong" in {finding.rule for finding in findings_of_trace(trace)}


def test_nothing_that_acts_on_a_terminal_is_printed(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": [{"role": "\x1b[31m", "content": "x"}], "model": "\x9b31m"}))
    assert main(["run", str(path)]) == 0
    main(["run", str(path), "--set", "gather.recency=\x1b[31m"])
    said = capsys.readouterr()
    for text in (said.out, said.err):
        assert harmless(text) == text


def test_a_legacy_result_s_name_costs_the_same_in_the_trace_and_in_the_bill() -> None:
    trace = built([{"role": "function", "content": "x", "name": "5"}, user()], system="raw")
    assert trace.totals.total == count_request({"messages": trace.messages, "tools": trace.tools}, "gpt-4o").total


def test_a_version_s_tools_that_are_no_definitions_are_left_out() -> None:
    data = {"schema": "ctxcore.scenario/1", "messages": [user()], "versions": {"a": {"tools": [5]}}}
    trace = build(Scenario.from_json(data), system="compiler", options={"static-content-loader.version": "a"})
    assert trace.tools == []
