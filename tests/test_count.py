"""Bills against what providers charged, and what a bill must hold whatever it is given."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.tokens import ORACLES, kind_of, recorded
from ctxcore import Scenario, build
from ctxcore.counting.count import count_request
from ctxcore.counting.framing import frame, priming
from ctxcore.counting.models import model
from ctxcore.counting.tokens import counter_for
from ctxcore.counting.tooltext import tool_bill, tool_tokens
from ctxcore.exporting.targets import export_trace
from tests import laws

needs_oracles = pytest.mark.skipif(not ORACLES.exists(), reason="the recorded bills are not here")
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather\n\n    of one place",
        "parameters": {
            "type": "object",
            "properties": {
                "place": {"type": "string", "description": "A city"},
                "unit": {"type": "string", "enum": ["c", "f"]},
                "days": {"type": ["integer", "null"]},
                "near": {"type": "array", "items": {"type": "object", "properties": {"lat": {"type": "number"}}}},
            },
            "required": ["place"],
        },
    },
}
CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"place":"Oslo"}'}}


def total(messages: list[Any], name: str = "gpt-4o", **more: Any) -> int:
    return count_request({"messages": messages, **more}, name).total


@needs_oracles
@pytest.mark.parametrize(
    ("api", "family", "bills", "exact", "within_2", "within_1_percent", "within_3_percent"),
    [
        ("chat", "gpt-4o, 4.1, 4.5", 42, 41, 42, 42, 42),
        ("chat", "gpt-4, 3.5", 21, 20, 21, 21, 21),
        ("chat", "gpt-5, o-series", 22, 21, 21, 21, 21),
        ("responses", "gpt-4o, 4.1, 4.5", 20, 9, 14, 16, 14),
        ("responses", "gpt-5, o-series", 36, 22, 27, 33, 31),
    ],
)
def test_bills_of_openai(
    api: str, family: str, bills: int, exact: int, within_2: int, within_1_percent: int, within_3_percent: int
) -> None:
    rows = [row for row in recorded(api) if row.family == family and kind_of(row.request).startswith("text")]
    off = [(abs(row.off), row.billed) for row in rows]
    assert len(rows) == bills
    assert sum(miss == 0 for miss, _ in off) >= exact
    assert sum(miss <= 2 for miss, _ in off) >= within_2
    assert sum(miss <= 3 + billed / 100 for miss, billed in off) >= within_1_percent
    assert sum(miss <= 0.03 * billed for miss, billed in off) >= within_3_percent


@needs_oracles
def test_bills_of_anthropic_lie_within_the_stated_band() -> None:
    rows = [row for row in recorded("messages") if kind_of(row.request) == "text"]
    inside = [row for row in rows if abs(row.off) <= max(5, model(row.model).band * row.billed)]
    assert len(rows) == 28
    assert len(inside) >= 25  # the others hold a thing of the newest models that nobody has published
    assert {count_request(row.request, row.model).exactness for row in rows} == {"approximate"}


@pytest.mark.parametrize(
    ("name", "plain", "named", "one", "two", "result", "reply"),
    [
        ("gpt-4o", 4, 7, 7, 27, 8, 3),
        ("gpt-4", 4, 7, 7, 27, 8, 3),
        ("gpt-5", 4, 7, 13, 39, 8, 2),
        ("gpt-3.5-turbo-0301", 5, 6, 8, 28, 9, 3),
        ("home-made", 4, 7, 7, 27, 8, 3),
    ],
)
def test_frames(name: str, plain: int, named: int, one: int, two: int, result: int, reply: int) -> None:
    known = model(name)
    assert frame(known, "user") == plain
    assert frame(known, "user", name_tokens=2) == named
    assert [frame(known, "assistant", calls=calls) for calls in (1, 2)] == [one, two]
    assert frame(known, "tool", result_name_tokens=2) == result
    assert frame(known, "function", name_tokens=2) == frame(known, "function", result_name_tokens=2)
    assert priming(known) == reply


def test_rows_name_every_cost() -> None:
    request = {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "name": "ann",
                "content": [
                    {"type": "text", "text": "Weather?"},
                    {"type": "image_url", "image_url": {"url": "https://x/a.png"}},
                ],
            },
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "Rain"}]},
        ],
        "tools": [WEATHER],
    }
    bill = count_request(request, "gpt-4o")
    assert [(row.what, row.message) for row in bill.rows] == [
        ("tool get_weather", None),
        ("tool block", None),
        ("text", 0),
        ("framing of system", 0),
        ("text", 1),
        ("image", 1),
        ("framing of user", 1),
        ("call get_weather", 2),
        ("arguments of get_weather", 2),
        ("framing of assistant", 2),
        ("result", 3),
        ("framing of tool", 3),
        ("reply priming", None),
    ]
    assert bill.total == sum(row.tokens for row in bill.rows)
    assert bill.rows[5].exactness == "approximate"
    shape = bill.to_json()
    assert list(shape)[:4] == ["model", "tokenizer", "rows", "total"]
    assert shape["tokenizer"] == {"name": "o200k_base", "exactness": "exact"}
    assert list(shape["rows"][0]) == ["what", "message", "tokens", "exactness", "rule"]
    assert json.loads(json.dumps(shape)) == shape


def test_ids_nulls_annotations_and_unknown_fields_are_free() -> None:
    messages = [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "Rain"},
    ]
    decorated = [
        {**messages[0], "annotations": [{"note": "x" * 100}], "weight": 3, "name": None, "id": "m1"},
        {**messages[1], "content": None, "refusal": None, "audio": None, "tool_calls": [{**CALL, "id": "y" * 90}]},
        {**messages[2], "tool_call_id": "y" * 90, "artifact": {"z": "z" * 100}},
    ]
    assert total(decorated, user="someone", stream=True) == total(messages)


@pytest.mark.parametrize("data", ["A" * 40_000, "not base64 at all " * 2_000])
def test_base64_is_never_text(data: str) -> None:
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
    assert total([{"role": "user", "content": [image]}]) == 765 + 4 + 3


def test_a_result_without_its_call_has_no_name() -> None:
    alone = [{"role": "tool", "tool_call_id": "gone", "content": "Rain"}]
    assert total(alone) == 1 + 6 + 3


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "type",
                    "text",
                    "name",
                    "tool_calls",
                    "function",
                    "arguments",
                    "parameters",
                    "properties",
                    "image_url",
                    "url",
                    "items",
                    "enum",
                    "anyOf",
                    "required",
                    "description",
                    "file",
                    "input_audio",
                    "function_call",
                    "source",
                    "data",
                    "custom",
                    "tool_call_id",
                    "detail",
                ]
            )
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["messages", "tools", "functions"]), ODD | st.lists(ODD, max_size=4)))
def test_odd_input_does_not_raise(request: dict[str, Any]) -> None:
    for name in ("gpt-4o", "gpt-5", "claude-sonnet-4-5", "home-made"):
        bill = count_request(request, name)
        assert bill.total == sum(row.tokens for row in bill.rows) >= 2


@pytest.mark.parametrize("depth", [50, 900])
def test_deep_schemas_do_not_raise(depth: int) -> None:
    for wrap in (lambda inner: {"type": "object", "properties": {"a": inner}}, lambda inner: {"anyOf": [inner]}):
        schema: dict[str, Any] = {"type": "string"}
        for _ in range(depth):
            schema = wrap(schema)
        tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": schema}}}}
        assert tool_tokens(model("gpt-4o"), [tool], False, counter_for("gpt-4o")) > 0


def test_tools_are_rendered_as_typescript() -> None:
    counter = counter_for("gpt-4o")
    rendered = (
        "namespace functions {\n\n// Current weather\n// of one place\ntype get_weather = (_: {\n"
        '// A city\nplace: string,\nunit?: "c" | "f",\ndays?: number | null,\nnear?: {\n  lat?: number,\n}[],\n'
        "}) => any;\n\n} // namespace functions"
    )
    assert tool_tokens(model("gpt-4o"), [WEATHER], False, counter) == counter.count(rendered) + 9
    assert tool_tokens(model("gpt-4o"), [WEATHER], True, counter) == counter.count(rendered) + 5
    assert tool_tokens(model("gpt-4o"), [], True, counter) == 0


def test_rows_of_tools_add_up_and_name_odd_ones() -> None:
    custom = {"type": "custom", "custom": {"name": "run", "format": {"type": "text"}}}
    tools = [WEATHER, custom, WEATHER["function"], "nonsense", {"type": "web_search"}]
    bill = tool_bill(model("gpt-4o").rules, tools, False, counter_for("gpt-4o"))
    assert [row.name for row in bill.rows] == ["get_weather", "run", "get_weather", "tool", "web_search"]
    assert [row.rule for row in bill.rows] == [
        "tool-definition",
        "tool-json",
        "tool-definition",
        "tool-json",
        "tool-json",
    ]
    assert bill.total == tool_tokens(model("gpt-4o"), tools, False, counter_for("gpt-4o"))
    assert min(row.tokens for row in bill.rows) > 0


def test_other_families_are_marked_approximate() -> None:
    request = {"messages": [{"role": "user", "content": "Hello"}], "tools": [WEATHER]}
    assert {row.exactness for row in count_request(request, "claude-sonnet-4-5").rows} == {"approximate"}
    assert {row.exactness for row in count_request(request, "home-made").rows} == {"fallback"}
    assert {row.exactness for row in count_request(request, "gpt-4o").rows} == {"exact", "approximate"}


FORM = {
    "type": "json_schema",
    "json_schema": {"name": "city", "schema": {"type": "object", "properties": {"city": {"type": "string"}}}},
}


@pytest.mark.parametrize("system", ["gssc", "compiler", "layered", "raw"])
def test_the_form_of_the_answer_is_a_fixed_cost_of_every_system(system: str) -> None:
    asked = {"messages": [{"role": "user", "content": "Which city is it?"}], "model": "gpt-4o"}
    plain, formed = (Scenario.load(json.dumps(one)) for one in (asked, {**asked, "response_format": FORM}))
    bare, trace = (build(one, system=system, window=1_000) for one in (plain, formed))
    cost = next(
        row.tokens for row in count_request({**asked, "response_format": FORM}, "gpt-4o").rows if row.rule == "form"
    )
    assert trace.totals.total - bare.totals.total == cost == trace.budget.fixed - bare.budget.fixed
    assert trace.totals.overhead - bare.totals.overhead == cost
    laws.check(trace.to_json(), valid_input=True)
    for target, holds in (("openai-chat", True), ("openai-responses", True), ("gemini", False)):
        sent = export_trace(trace, target)
        assert ("form" in {row.rule for row in count_request(sent.payload, "gpt-4o").rows}) == holds
        assert any("/response_format" in line for line in sent.losses) != holds


def test_thoughts_since_the_users_last_words_are_billed_to_claude() -> None:
    """A recorded bill: 71 too little without a thought of 89 tokens; those of earlier turns cost nothing."""
    thought = {"type": "thinking", "thinking": "The user wants a number.", "signature": "c2ln"}
    call = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "7"}]}
    open_step = [{"role": "user", "content": "How many?"}, {"role": "assistant", "content": [thought, call]}, result]
    closed = [*open_step, {"role": "user", "content": "Thank you."}]

    def thoughts(messages: list[dict[str, Any]], model: str) -> list[tuple[str, int]]:
        rows = count_request({"messages": messages, "system": "Be brief."}, model).rows
        return [(row.rule, row.tokens) for row in rows if row.what == "thought"]

    cost = counter_for("claude-sonnet-4-5").count(thought["thinking"])
    assert thoughts(open_step, "claude-sonnet-4-5") == [("thought", cost)]
    assert thoughts(closed, "claude-sonnet-4-5") == [("thought-dropped", 0)]
    assert thoughts(closed, "claude-opus-4-5") == [("thought", cost)]  # keeps all of them
    assert thoughts(open_step, "gpt-5") == [("thought-dropped", 0)]


@pytest.mark.parametrize(
    ("request_", "hidden"),
    [
        (
            {"messages": [{"role": "user", "content": "Hello"}], "web_search_options": {"search_context_size": "low"}},
            "web_search_options",
        ),
        ({"input": "Hello", "reasoning": {"mode": "pro"}}, "reasoning mode pro"),
    ],
)
def test_what_the_server_adds_on_its_own_is_a_row_of_nothing(request_: dict[str, Any], hidden: str) -> None:
    (row,) = [row for row in count_request(request_, "gpt-4o").rows if row.rule == "unseen"]
    assert (row.what, row.tokens) == (hidden, 0)


THOUGHT = "The country comes first, then its largest city."


@pytest.mark.parametrize("system", ["gssc", "compiler", "layered", "raw"])
@pytest.mark.parametrize(
    "beside",
    [
        {"thinking_blocks": [{"type": "thinking", "thinking": THOUGHT, "signature": "c2ln"}]},
        {"thinking_blocks": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": THOUGHT}]}]},
        {"reasoning_content": THOUGHT},
    ],
    ids=["thinking", "reasoning", "DeepSeek"],
)
def test_thoughts_stand_beside_the_messages_and_the_last_stage_says_what_they_weigh(system: str, beside: Any) -> None:
    said = {"role": "assistant", "content": "Mexico City.", **beside}
    question = {"role": "user", "content": "And the second largest?"}
    first = {"role": "user", "content": "The largest city?"}
    trace = build(Scenario.from_messages([first, said, question]), system=system)
    assert trace.messages[1] == said
    assert trace.totals.total == count_request({"messages": trace.messages}, trace.model_name).total
    (told,) = [one for one in trace.snapshots[-1].payload.problems if one.rule == "thoughts-beside"]
    assert (told.severity, told.items) == ("info", ("turn-0002",))
    assert told.facts == {"messages": 1, "tokens": counter_for(trace.model_name).count(THOUGHT)}
    silent = Scenario.from_messages([first, {"role": "assistant", "content": "Mexico City."}, question])
    problems = build(silent, system=system).snapshots[-1].payload.problems
    assert [one.rule for one in problems if one.rule == "thoughts-beside"] == []
