"""Lint: each rule on its smallest example, the reported cases, odd input, and the openai package's own types."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.errors import InputError
from ctxcore.importing import load
from ctxcore.linting.finding import RULES
from ctxcore.linting.lint import lint, report

SHARED = Path(__file__).parents[2] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared files are not here")

USER = {"role": "user", "content": "do it"}
DONE = {"role": "assistant", "content": "done"}


def calls(*ids, name="f", arguments="{}"):
    made = [{"id": one, "type": "function", "function": {"name": name, "arguments": arguments}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(one, text="ok"):
    return {"role": "tool", "tool_call_id": one, "content": text}


def tool(name, **more):
    return {"type": "function", "function": {"name": name, **more}}


def found(messages, tools=()):
    return [(one.rule, one.where) for one in lint(messages, tools)]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([USER, DONE], []),
        ([USER, calls("a", "b"), result("b"), result("a"), DONE], []),
        ([USER, calls("a"), result("a", ""), DONE], []),
        ([USER, result("a"), DONE], [("result-without-call", "/messages/1")]),
        ([result("a"), USER], [("result-without-call", "/messages/0")]),
        ([USER, {"role": "tool", "content": "x"}], [("result-without-id", "/messages/1")]),
        ([USER, calls("a")], [("call-unanswered", "/messages/1/tool_calls/0")]),
        ([USER, calls("a", "b"), result("a"), DONE], [("call-unanswered", "/messages/1/tool_calls/1")]),
        ([USER, calls("a"), USER, result("a")], [("result-displaced", "/messages/3")]),
        (
            [USER, calls("a"), result("x"), result("a")],
            [("result-without-call", "/messages/2"), ("result-displaced", "/messages/3")],
        ),
        ([USER, calls("a", "a"), result("a")], [("call-id-twice", "/messages/1/tool_calls/1")]),
        ([USER, calls("a"), result("a"), result("a")], [("result-twice", "/messages/3")]),
        ([USER, calls("a"), result("a"), calls("a"), result("a")], [("call-id-reused", "/messages/3/tool_calls/0")]),
        ([USER, USER], [("same-role-twice", "/messages/1")]),
        ([{"role": "system", "content": "s"}, DONE, USER], [("starts-with-assistant", "/messages/1")]),
        ([{"role": "user", "content": ""}], [("content-empty", "/messages/0")]),
        ([{"role": "user", "content": None}], [("content-empty", "/messages/0")]),
        ([{"role": "user"}], [("content-empty", "/messages/0")]),
        ([{"role": "user", "content": [{"type": "text", "text": ""}]}], [("content-empty", "/messages/0")]),
        ([USER, {"role": "assistant", "content": None}], [("content-empty", "/messages/1")]),
        ([{"role": "system"}, USER], [("content-empty", "/messages/0")]),
        ([{"role": "system", "content": ""}, USER], [("system-empty", "/messages/0")]),
        ([{"role": "user", "content": 7}], [("content-malformed", "/messages/0/content")]),
        ([{"role": "human", "content": "x"}], [("role-unknown", "/messages/0/role")]),
        ([{"content": "x"}], [("role-unknown", "/messages/0/role")]),
        (["x"], [("message-malformed", "/messages/0")]),
        ([], [("messages-empty", "/messages")]),
        ("x", [("messages-malformed", "/messages")]),
        (
            [{"role": "system", "content": [{"type": "image_url", "image_url": {"url": "u"}}]}, USER],
            [("part-not-allowed", "/messages/0/content/0")],
        ),
        (
            [{"role": "user", "content": [{"type": "refusal", "refusal": "no"}]}],
            [("part-not-allowed", "/messages/0/content/0")],
        ),
        ([{"role": "user", "content": [{"type": "image_url"}]}], [("part-malformed", "/messages/0/content/0")]),
        ([{"role": "user", "content": ["x"]}], [("part-malformed", "/messages/0/content/0")]),
        ([{**USER, "name": 3}], [("field-malformed", "/messages/0/name")]),
        ([USER, {**DONE, "refusal": 3}], [("field-malformed", "/messages/1/refusal")]),
        ([USER, {**DONE, "audio": {}}], [("field-malformed", "/messages/1/audio")]),
        ([USER, {**DONE, "audio": None, "refusal": None, "function_call": None}], []),
        ([USER, {**DONE, "tool_calls": None}], [("calls-malformed", "/messages/1/tool_calls")]),
        (
            [USER, {"role": "assistant", "content": "x", "tool_calls": []}],
            [("calls-malformed", "/messages/1/tool_calls")],
        ),
        ([USER, calls("a", name="no spaces"), result("a")], [("call-name-invalid", "/messages/1/tool_calls/0")]),
        ([USER, calls("a", arguments="{x"), result("a")], [("arguments-not-json", "/messages/1/tool_calls/0")]),
        ([USER, calls("a", arguments={}), result("a")], [("call-malformed", "/messages/1/tool_calls/0")]),
        ([USER, calls(None)], [("call-malformed", "/messages/1/tool_calls/0")]),
        (
            [
                USER,
                {"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
                {"role": "function", "name": "f", "content": "1"},
            ],
            [],
        ),
    ],
)
def test_rules_on_messages(messages, expected):
    assert found(messages) == expected


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ([tool("a"), tool("b-2_C", parameters={})], []),
        (None, []),
        ([{"type": "custom", "custom": {"name": "grammar"}}], []),
        ([tool("")], [("tool-malformed", "/tools/0")]),
        ([{"type": "function"}], [("tool-malformed", "/tools/0")]),
        ([{"name": "a"}, "x"], [("tool-malformed", "/tools/0"), ("tool-malformed", "/tools/1")]),
        ([tool("a"), tool("a")], [("tool-name-twice", "/tools/1")]),
        ([tool("a.b")], [("tool-name-invalid", "/tools/0")]),
        ([tool("a" * 65)], [("tool-name-invalid", "/tools/0")]),
        ([tool("a", parameters="{}")], [("tool-malformed", "/tools/0")]),
        ([tool(f"t{n}") for n in range(129)], [("too-many-tools", "/tools")]),
        ({"a": 1}, [("tools-malformed", "/tools")]),
    ],
)
def test_rules_on_tools(tools, expected):
    assert found([USER], tools) == expected


def test_severities_and_the_report():
    findings = lint([USER, USER, calls("a", arguments="{"), result("a"), result("zz")])
    assert [one.severity for one in findings] == ["info", "warning", "error"]
    first = report(findings)["problems"][0]
    assert {"rule", "severity", "provider", "message", "where"} <= first.keys()
    assert first["message"] == "Two user messages in a row: some providers merge or refuse them."
    json.dumps(report(findings))


def test_an_unknown_provider_is_refused():
    with pytest.raises(InputError, match="choose one of openai"):
        lint([USER], provider="acme")


def test_each_finding_is_reported_once_for_many_calls():
    messages = [USER]
    for number in range(20_000):
        messages += [calls(f"c{number}"), result(f"c{number}")]
    assert lint(messages) == ()
    assert len(lint(messages[:-1])) == 1


CASES = {
    "01": [],
    "03": ["same-role-twice", "result-displaced", "result-displaced"],
    "25": ["call-unanswered", "result-without-call"],
    "53": [],
    "55": [],
    "56": [],
    "59": ["call-unanswered"],
    "11": [],
}


@needs_shared
@pytest.mark.parametrize("number", CASES)
def test_reported_cases(number):
    (file,) = (SHARED / "cases").glob(f"{number}-*.json")
    messages = json.loads(file.read_bytes())["input"]["payload"]["messages"]
    assert [one.rule for one in lint(messages)] == CASES[number]


@needs_shared
def test_trimming_away_the_call_is_found():
    (file,) = (SHARED / "cases").glob("01-*.json")
    messages = json.loads(file.read_bytes())["input"]["payload"]["messages"]
    assert found(messages[-5:]) == [("result-without-call", "/messages/0")]


# -- odd input ---------------------------------------------------------------------------------

scalars = (
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "f", "{}", "text", "function", "user"])
)
fields = st.sampled_from(
    [
        "role",
        "content",
        "tool_calls",
        "tool_call_id",
        "function_call",
        "name",
        "type",
        "text",
        "function",
        "id",
        "arguments",
    ]
)
odd = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(fields, inner, max_size=4), max_leaves=12
)

text = st.sampled_from(["hi", "", "你好"])
parts = st.lists(
    st.one_of(
        st.builds(lambda words: {"type": "text", "text": words}, text),
        st.just({"type": "image_url", "image_url": {"url": "https://a.example/b.png", "detail": "low"}}),
        st.just({"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}}),
        st.just({"type": "file", "file": {"file_id": "x"}}),
        st.just({"type": "refusal", "refusal": "no"}),
    ),
    max_size=2,
)
said = st.builds(
    lambda role, content, more: {"role": role, "content": content, **more},
    st.sampled_from(["system", "developer", "user", "user", "assistant", "function"]),
    text | parts | st.none(),
    st.sampled_from([{}, {}, {"name": "f"}, {"refusal": None, "annotations": []}]),
)
round_of_calls = st.sampled_from(
    [
        [calls("a"), result("a")],
        [calls("a", "b"), result("b"), result("a", "")],
        [calls("c", arguments="not json"), {**result("c"), "content": [{"type": "text", "text": "ok"}]}],
        [
            {"role": "assistant", "tool_calls": [{"id": "g", "type": "custom", "custom": {"name": "g", "input": "x"}}]},
            result("g"),
        ],
    ]
)
turns = st.lists(said.map(lambda one: [one]) | round_of_calls, min_size=1, max_size=3)
conversation = turns.map(lambda found: [one for turn in found for one in turn])
definitions = st.lists(
    st.builds(
        lambda name, more: {"type": "function", "function": {"name": name, **more}},
        st.sampled_from(["f", "g", "h"]),
        st.sampled_from([{}, {"parameters": {"type": "object"}}, {"description": "d", "strict": True}]),
    ),
    max_size=2,
)


def places(value):
    """Every place in a JSON value: its container and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from places(item)


@st.composite
def damaged(draw, whole):
    """A request with nothing wrong, or with one value replaced or taken out."""
    value = copy.deepcopy(draw(whole))
    spots = list(places(value))
    if spots and draw(st.booleans()):
        container, key = draw(st.sampled_from(spots))
        if isinstance(container, dict) and draw(st.booleans()):
            del container[key]
        else:
            container[key] = draw(odd)
    return value


@given(damaged(conversation) | st.lists(odd, max_size=5) | odd, damaged(definitions) | odd)
@settings(max_examples=400, deadline=None)
def test_nothing_crashes_and_every_finding_can_be_told(messages, tools):
    for one in lint(messages, tools):
        assert one.rule in RULES
        assert one.message
        assert all(isinstance(fact, str | int) for fact in one.facts.values())


# -- the openai package's own request types ----------------------------------------------------


@pytest.fixture(scope="module")
def validate():
    chat = pytest.importorskip("openai.types.chat")
    pydantic = pytest.importorskip("pydantic")
    messages = pydantic.TypeAdapter(list[chat.ChatCompletionMessageParam])
    tools = pydantic.TypeAdapter(list[chat.ChatCompletionToolUnionParam])

    def consume(value):
        """Iterables are checked as they are read, and not before."""
        if isinstance(value, dict):
            for item in value.values():
                consume(item)
        elif not isinstance(value, str | bytes | int | float | None):
            for item in value:
                consume(item)

    def check(given_messages, given_tools=()):
        consume(messages.validate_python(list(given_messages)))
        consume(tools.validate_python(list(given_tools)))

    return check


def test_the_types_do_refuse(validate):
    with pytest.raises(ValueError, match="validation error"):
        validate([calls("a", arguments={})])


@given(damaged(conversation), damaged(definitions))
@settings(max_examples=400, deadline=None)
def test_what_lint_finds_free_of_errors_is_of_the_package_s_types(validate, messages, tools):
    if not any(one.severity == "error" for one in lint(messages, tools)):
        validate(messages, tools)


@needs_shared
def test_real_requests_are_free_of_errors_and_of_the_package_s_types(validate):
    files = [*(SHARED / "inputs/openai-chat").glob("*.request.json"), *(SHARED / "inputs/mini-swe-agent").iterdir()]
    for file in [*files, *(SHARED / "inputs/swe-agent").iterdir()]:
        scenario = load(file)
        assert not [one for one in lint(scenario.messages, scenario.tools) if one.severity == "error"], file.name
        validate(scenario.messages, scenario.tools)
