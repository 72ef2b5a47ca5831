"""Reported cases about reading files of others; see tests/cases.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ctxcore import Scenario, Trace, build
from ctxcore.importing import loads, opened
from ctxcore.importing.conversations import Opened
from tests import laws

Case = Mapping[str, Any]


def imported(case: Case) -> Scenario:
    return loads(json.dumps(case["input"]["payload"]), name="case.json")


def a_pair_stays_or_goes_whole(scenario: Scenario, case: Case) -> None:
    """The call in the middle of the list, whose arguments are most of it."""
    assert [message["role"] for message in scenario.messages] == ["system", "user", "assistant", "tool", "user"]
    for window in range(10, 200, 5):
        for system in ("gssc", "compiler", "layered"):
            trace = build(scenario, system=system, window=window, reserve=0)
            laws.check(trace.to_json(), valid_input=True)
            if window == case["input"]["max_tokens"]:
                assert "tool" not in [message["role"] for message in trace.messages]


def compacted(case: Case) -> Trace:
    view = case["input"]["view_limit"]
    options = {"conversation-compactor.preserve_recent": view}
    return build(imported(case), system="compiler", window=60, reserve=0, options=options, limits={"history": 20})


def each_item_is_kept_or_has_its_reason(trace: Trace, case: Case) -> None:
    laws.check(trace.to_json(), valid_input=True)
    facts = [f"fact {at}" for at in range(10)]
    fates = {fact: trace.story(fact) for fact in facts}
    assert all(story.found for story in fates.values())
    gone = [fact for fact in facts if fates[fact].fate == "lost"]
    assert gone
    ended = {
        d.item for snapshot in trace.snapshots for d in snapshot.decisions if d.action in ("dropped", "compressed")
    }
    ended |= {one for snapshot in trace.snapshots for d in snapshot.decisions for one in d.sources}
    assert len(ended) >= len(gone)


def session(case: Case) -> Scenario:
    return loads("\n".join(map(json.dumps, case["input"]["payload"])), name="session.jsonl")


def three_lines_are_one_answer(scenario: Scenario, case: Case) -> None:
    asked, answered, result = scenario.messages
    assert asked["content"] == "go"
    assert answered["content"] == "ok"
    assert [call["id"] for call in answered["tool_calls"]] == ["k"]
    assert [block["type"] for block in answered["thinking_blocks"]] == ["thinking"]
    assert result["content"] == "a.txt"
    assert any("billed 123 input tokens" in line for line in scenario.warnings)  # once, not three times


def readings(case: Case) -> list[Opened]:
    text = json.dumps(case["input"]["payload"])
    return [opened(text, name="case.json", conversation=at) for at in (None, 0, 1, 2)]


def one_is_in_the_context_and_the_others_can_be_chosen(found: list[Opened], case: Case) -> None:
    by_default, first, structured, both = (one.scenario.messages[0]["content"] for one in found)
    assert by_default == first == "returned 3 item(s)."
    assert structured == '{"items":[{"id":1},{"id":2},{"id":3}]}'
    assert [part["text"] for part in both] == [first, structured]
    assert any(f"{len(structured)} characters, left out" in line for line in found[0].scenario.warnings)


def a_cut_call_and_the_noise_are_named(scenario: Scenario, case: Case) -> None:
    assert len(scenario.messages) == 3
    told = "\n".join(scenario.warnings)
    assert "/1: a call of replace_in_file that was cut off" in told
    assert "/2: a turn that only says that no tool was used: noise" in told


ROWS = {
    "20": (imported, a_pair_stays_or_goes_whole),
    "22": (compacted, each_item_is_kept_or_has_its_reason),
    "44": (session, three_lines_are_one_answer),
    "49": (readings, one_is_in_the_context_and_the_others_can_be_chosen),
    "54": (imported, a_cut_call_and_the_noise_are_named),
}
