"""Reported cases about bills, lint and waste of requests in other shapes than OpenAI's chat; see tests/cases.py."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ctxcore import Scenario, build, count_request
from ctxcore.findings.finding import Finding
from ctxcore.findings.waste import OF_WASTE
from ctxcore.importing import loads
from ctxcore.linting.lint import lint, lint_request
from ctxcore.linting.repairing import repairs

Case = Mapping[str, Any]


def imported(case: Case) -> Scenario:
    return loads(json.dumps(case["input"]["payload"]), name="case.json")


def errors(messages: Any) -> list[tuple[str, str]]:
    return [(one.rule, one.where) for one in lint(messages) if one.severity == "error"]


def the_unanswered_call_can_be_mended(scenario: Scenario, case: Case) -> None:
    assert errors(scenario.messages) == [("call-unanswered", "/messages/1/tool_calls/0")]
    assert count_request({"messages": scenario.messages}, "gpt-4o").total > 0
    done = repairs(scenario.messages)
    assert [(one.at, one.rule) for one in done if one.rule] == [(1, "repair-unanswered")]
    assert errors([one.message for one in done if one.message is not None]) == []


def ids_of_any_length(case: Case) -> list[int]:
    text = json.dumps(case["input"]["payload"])
    return [
        count_request(json.loads(text.replace("toolu_" + "z" * 40, key)), "claude-sonnet-4-5").total for key in "ab"
    ] + [count_request(json.loads(text), "claude-sonnet-4-5").total]


def an_id_is_free(totals: list[int], case: Case) -> None:
    assert len(set(totals)) == 1
    assert totals[0] < 120


def encrypted(case: Case) -> Any:
    long = "A" * case["input"]["generate"]["encrypted_content_len"]
    request = json.loads(json.dumps(case["input"]["payload"]).replace("<20000 chars>", long))
    return count_request(request, "gpt-5")


def what_cannot_be_read_is_not_counted(bill: Any, case: Case) -> None:
    assert bill.total < 40
    assert [row.rule for row in bill.rows if row.what == "reasoning"] == ["unseen"]


def one_call_is_counted_once(scenario: Scenario, case: Case) -> None:
    calls = [call for message in scenario.messages for call in message.get("tool_calls") or ()]
    assert [call["id"] for call in calls] == ["k1"]
    bill = count_request({"messages": scenario.messages}, "gpt-4o")
    assert [row.what for row in bill.rows if row.what.startswith("call")] == ["call w"]
    assert errors(scenario.messages) == []


def one_picture(scenario: Scenario, case: Case) -> None:
    bill = count_request({"messages": scenario.messages}, "gpt-4o")
    assert [row.what for row in bill.rows if row.rule.startswith("image")] == ["image"]
    assert sum(row.tokens for row in bill.rows if row.what != "image") < 40


def linted(case: Case) -> list[str]:
    return [one.rule for one in lint_request(case["input"]["payload"]) if one.severity == "error"]


def results_are_no_turn_of_the_user(found: list[str], case: Case) -> None:
    assert found == []
    trace = build(imported(case), system="gssc", window=60, reserve=0)
    assert errors(trace.messages) == []


def one_of_two_calls_is_unanswered(found: list[str], case: Case) -> None:
    assert found == ["call-unanswered"]


def the_far_result_is_displaced(found: list[str], case: Case) -> None:
    assert found == ["result-displaced"]


def said_again(case: Case) -> dict[str, Finding]:
    trace = build(imported(case), system="raw", window=10_000)
    return {one.rule: one for rule in OF_WASTE for one in rule(trace)}


def three_blocks_too_many(found: dict[str, Finding], case: Case) -> None:
    assert found["find-waste-system"].facts["count"] == 3
    again = [build(imported(case), system="raw", window=10_000).messages for _ in range(2)]
    assert again[0] == again[1]


ROWS = {
    "05": (imported, the_unanswered_call_can_be_mended),
    "08": (ids_of_any_length, an_id_is_free),
    "09": (encrypted, what_cannot_be_read_is_not_counted),
    "10": (imported, one_call_is_counted_once),
    "26": (imported, one_picture),
    "31": (imported, one_picture),
    "32": (linted, results_are_no_turn_of_the_user),
    "33": (linted, one_of_two_calls_is_unanswered),
    "37": (linted, the_far_result_is_displaced),
    "46": (said_again, three_blocks_too_many),
}
