"""Requests in each provider's own shape: what is read of them, what they cost, what their provider would refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from ctxcore.counting.count import count_request
from ctxcore.counting.models import model, use_table
from ctxcore.errors import InputError
from ctxcore.linting.lint import lint, lint_request
from ctxcore.wire import SHAPES, read_request, shape_of
from tests.test_count import ODD

TOOL = {"name": "f", "description": "does it", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}}
ARGUMENTS = {"a": "1"}
REQUESTS: dict[str, dict[str, Any]] = {
    "openai": {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "do it"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "f", "arguments": json.dumps(ARGUMENTS)}}
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "done"},
        ],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": TOOL["schema"]}}],
    },
    "openai-responses": {
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": "do it"},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "A" * 9_000},
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": json.dumps(ARGUMENTS)},
            {"type": "function_call_output", "call_id": "c1", "output": "done"},
        ],
        "tools": [{"type": "function", "name": "f", "parameters": TOOL["schema"]}],
    },
    "anthropic": {
        "system": "Be brief.",
        "max_tokens": 100,
        "messages": [
            {"role": "user", "content": "do it"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm " * 90, "signature": "A" * 900},
                    {"type": "tool_use", "id": "c1", "name": "f", "input": ARGUMENTS},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "done"}]},
        ],
        "tools": [{"name": "f", "input_schema": TOOL["schema"]}],
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "do it"}]},
            {
                "role": "model",
                "parts": [{"functionCall": {"name": "f", "args": ARGUMENTS}, "thoughtSignature": "AAAA"}],
            },
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"output": "done"}}}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": TOOL["schema"]}]}],
    },
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_known_and_read(shape: str) -> None:
    request = REQUESTS[shape]
    assert shape_of(request) == shape
    read = read_request(request)
    said = [
        (block.kind, block.name) for turn in read.turns for block in turn.blocks if block.kind in ("call", "result")
    ]
    assert said[0] == ("call", "f")
    assert list(read.calls.values()) == ["f"]
    assert [tool["function"]["name"] for tool in read.tools] == ["f"]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_conversation_costs_about_the_same_in_each_shape(shape: str) -> None:
    """Signatures and encrypted thoughts are free; results and calls are counted once."""
    bill = count_request(REQUESTS[shape], "gpt-4o")
    said = sum(row.tokens for row in bill.rows if row.rule in ("text", "call", "arguments"))
    assert said in (11, 12)  # with and without a blank in the arguments
    assert bill.total == pytest.approx(count_request(REQUESTS["openai"], "gpt-4o").total, abs=20)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_sound_request_has_no_errors(shape: str) -> None:
    assert [one for one in lint_request(REQUESTS[shape]) if one.severity == "error"] == []


def broken(shape: str, path: list[Any], value: Any) -> list[str]:
    request = json.loads(json.dumps(REQUESTS[shape]))
    place = request
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return [one.rule for one in lint_request(request, shape) if one.severity == "error"]


@pytest.mark.parametrize(
    ("shape", "path", "value", "rules"),
    [
        ("openai-responses", ["input", 3], None, ["call-unanswered"]),
        ("openai-responses", ["input", 2], None, ["reasoning-alone", "result-without-call"]),
        ("openai-responses", ["tools", 0, "name"], "a b", ["tool-name-invalid"]),
        ("anthropic", ["messages", 2], None, ["call-unanswered"]),
        ("anthropic", ["messages", 0, "content"], " ", ["text-blank"]),
        ("anthropic", ["messages", 0, "role"], "human", ["role-unknown"]),
        ("anthropic", ["messages", 1, "content", 0, "signature"], None, ["thinking-unsigned"]),
        (
            "anthropic",
            ["messages", 1, "content", 1, "id"],
            "c.1",
            ["call-id-invalid", "call-unanswered", "result-without-call"],
        ),
        ("anthropic", ["messages", 1, "content", 1, "input"], "text", ["arguments-not-json"]),
        ("gemini", ["contents", 2], None, ["call-unanswered"]),
        ("gemini", ["contents", 0], None, ["starts-with-assistant"]),
        ("gemini", ["contents", 0, "parts"], [], ["content-empty"]),
    ],
)
def test_what_a_provider_refuses(shape: str, path: list[Any], value: Any, rules: list[str]) -> None:
    assert sorted(broken(shape, path, value)) == sorted(rules)


def test_results_come_before_the_words_of_their_message() -> None:
    request = json.loads(json.dumps(REQUESTS["anthropic"]))
    request["messages"][2]["content"].insert(0, {"type": "text", "text": "here"})
    assert "result-behind-text" in [one.rule for one in lint_request(request)]


def test_chat_messages_are_judged_for_another_provider() -> None:
    chat = REQUESTS["openai"]
    assert [one for one in lint(chat["messages"], chat["tools"], "anthropic") if one.severity == "error"] == []
    blank = [{"role": "user", "content": "  "}, {"role": "assistant", "content": "so "}]
    assert [one.rule for one in lint(blank, (), "anthropic") if one.severity == "error"] == [
        "text-blank",
        "ends-in-blanks",
    ]
    assert [one.rule for one in lint(blank, (), "openai") if one.severity == "error"] == []


@given(ODD)
@settings(max_examples=200, deadline=None)
def test_odd_requests_do_not_raise(value: Any) -> None:
    for shape, field in (("openai-responses", "input"), ("anthropic", "messages"), ("gemini", "contents")):
        request = {field: value, "tools": value, "system": value}
        assert count_request(request, "gpt-5", shape).total >= 2
        assert isinstance(lint_request(request, shape, shape), tuple)


def test_a_table_of_the_user_s_own() -> None:
    row = {"name": "house", "family": "house", "chat": "house", "encoding": "cl100k_base", "exactness": "exact"}
    table = {"models": [{**row, "window": 9_000, "image": {"kind": "tile"}}], "rules": {"house": {"message": 7}}}
    try:
        use_table(table)
        assert model("house-2").window == 9_000
        assert count_request({"messages": [{"role": "user", "content": "hi"}]}, "house").total == 1 + 8 + 3
        with pytest.raises(InputError, match="mend that row"):
            use_table({"models": [{"name": "x"}]})
        assert model("house").name == "house"
    finally:
        use_table(None)
    assert model("house").name == "fallback"
