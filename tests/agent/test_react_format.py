"""Reading replies: native calls, JSON, and ReAct lines in two languages (c11)."""

from __future__ import annotations

import json

import pytest

from ctxcore.agent.react_format import FormatError, Reading, read, reply_schema
from ctxcore.agent.tools import calculator, search
from ctxcore.item import Call

TOOLS = (search(()), calculator())


def said(text: str, *calls: Call, plain_is_answer: bool = False) -> Reading:
    return read(text, calls, TOOLS, plain_is_answer=plain_is_answer)


def call(reading: Reading) -> tuple[str, object]:
    assert reading.call
    return reading.call.name, json.loads(reading.call.arguments)


@pytest.mark.parametrize(
    "text",
    [
        "Thought: I look it up.\nAction: search\nAction Input: Rhine width",
        "思考：I look it up.\n行动：search\n行动输入：Rhine width",
        '**Thought:** I look it up.\n**Action:** search\n**Action Input:** "Rhine width"',
        'Thought: I look it up.\nAction: search\nAction Input: {"query": "Rhine width"}',
        "Thought: I look it up.\nAction: search[Rhine width]",
        'Thought: I look it up.\nAction: search("Rhine width")',
        "Thought 1: I look it up.\nAction 1: search\nAction Input 1: Rhine width\nObservation: made up",
        '{"thought": "I look it up.", "action": "search", "action_input": "Rhine width"}',
        '```json\n{"thought": "I look it up.", "action": "search", "action_input": {"query": "Rhine width"}}\n```',
    ],
)
def test_c11_an_action_however_it_is_written(text: str) -> None:
    reading = said(text)
    assert reading.thought == "I look it up."
    assert call(reading) == ("search", {"query": "Rhine width"})


@pytest.mark.parametrize(
    "text",
    [
        "Thought: done\nFinal Answer: 400 metres\nor so",
        "思考：done\n最终答案：400 metres\nor so",
        "Thought: done\nAction: finish\nAction Input: 400 metres\nor so",
        '{"thought": "done", "action": "finish", "action_input": "400 metres\\nor so"}',
    ],
)
def test_c11_the_final_answer(text: str) -> None:
    reading = said(text)
    assert (reading.thought, reading.answer, reading.call) == ("done", "400 metres\nor so", None)


def test_a_native_call_counts_whatever_the_text_says() -> None:
    made = Call("c1", "search", '{"query":"x"}')
    reading = said("Thought: so\nSub-task: width\nmore of it", made, Call("c2", "search", "{}"))
    assert (reading.call, reading.thought, reading.sub_task, reading.more) == (made, "so", "width\nmore of it", 1)
    assert said("just words", made).thought == "just words"
    assert said("just words", plain_is_answer=True).answer == "just words"


def test_a_sub_task_is_named_on_a_line_of_its_own() -> None:
    assert said("思考：a\n子任务：查价格\n行动：search\n行动输入：b").sub_task == "查价格"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("I think\nI am", "line 2 ('I am')"),
        ("Thought: a\nAction: search", "no Action Input"),
        ("Thought: a\n\nmore", "neither an Action"),
        ('{"thought": "a"}', "the JSON object: neither"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_the_line(text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says.replace("(", r"\(").replace(")", r"\)")):
        said(text)


def test_the_schema_asks_for_every_field_and_knows_the_tools() -> None:
    schema = reply_schema(TOOLS)
    assert schema["required"] == list(schema["properties"])
    assert schema["properties"]["action"]["enum"] == ["search", "calculator", "finish"]
