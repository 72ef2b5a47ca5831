"""Files of many kinds: what is read, what is repaired with a warning, what is refused and with which words."""

import contextlib
import io
import json
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.errors import InputError, WhichConversationError
from ctxcore.importing import load, loads
from ctxcore.importing.formats import FORMATS
from ctxcore.scenario import Scenario

CHAT = [{"role": "user", "content": "你好 – hi"}, {"role": "assistant", "content": "hello"}]
TEXT = json.dumps(CHAT, ensure_ascii=False)
LINES = "\n".join(json.dumps(message, ensure_ascii=False) for message in CHAT)


def refused(data, **options):
    with pytest.raises(InputError) as raised:
        loads(data, **options)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_text_is_read_by_its_mark(encoding):
    scenario = loads(TEXT.encode(encoding), name="chat.json")
    assert list(scenario.messages) == CHAT
    assert scenario.warnings == ()


@pytest.mark.parametrize(
    "text", [TEXT, LINES, LINES.replace("\n", "\r\n\r\n"), f"\ufeff\n{TEXT}\n", json.dumps(CHAT, indent=1)]
)
@pytest.mark.parametrize("name", ["chat.json", "chat.jsonl", "chat", "chat.md"])
def test_one_value_and_one_a_line_are_told_apart_by_structure(text, name):
    assert list(loads(text, name=name).messages) == CHAT


def test_a_line_separator_inside_a_text_ends_no_line():
    assert len(loads('{"role": "user", "content": "a\u2028b"}\n{"role": "user", "content": "c"}').messages) == 2


@pytest.mark.parametrize(
    ("data", "format"),
    [
        ({"model": "gpt-4o", "messages": CHAT}, "openai-chat"),
        ({"messages": CHAT, "tools": []}, "openai-chat"),
        ({"messages": CHAT}, "messages"),
        ({"history": CHAT}, "messages"),
        (CHAT, "messages"),
        (CHAT[0], "messages"),
        ({"schema": "ctxcore.scenario/1", "messages": CHAT}, "scenario"),
        ({"documents": ["a"], "messages": CHAT}, "scenario"),
        ({"user_message": "hi"}, "scenario"),
    ],
)
def test_formats_are_recognised(data, format):
    scenario = loads(json.dumps(data), name="any.json")
    assert scenario.format == format
    assert format in FORMATS
    assert scenario.messages[0]["role"] == "user"


def test_plain_text_is_one_document():
    scenario = loads("# Valves\n\nV3 is open.\n", name="valves.md")
    (document,) = scenario.documents
    assert (scenario.format, document.id, document.title) == ("text", "doc-01", "Valves")
    assert document.text == "# Valves\n\nV3 is open.\n"
    assert loads("no heading", name="memo.txt").documents[0].title == "memo"


@pytest.mark.parametrize(
    "text", ["[a link](https://a.example)", "{{ name }} is a template", "[[wiki]]", "[1] A reference"]
)
def test_text_that_begins_with_a_bracket_is_still_text(text):
    assert loads(text, name="a.md").format == "text"


def test_a_request_keeps_its_fields_and_gives_its_model():
    request = {
        "model": "gpt-4o",
        "messages": CHAT,
        "tools": [{"type": "function"}],
        "response_format": {"type": "json"},
    }
    scenario = loads(json.dumps(request))
    assert scenario.extra == {"model": "gpt-4o", "response_format": {"type": "json"}}
    assert scenario.tools == ({"type": "function"},)
    assert scenario.settings == {"model": "gpt-4o"}
    again = Scenario.from_json(scenario.to_json())
    assert again.to_json() == scenario.to_json()
    assert again.format == "openai-chat"


def test_the_answer_in_a_log_is_the_last_message():
    answer = {"role": "assistant", "content": "bye", "refusal": None}
    scenario = loads(json.dumps({"messages": CHAT, "choices": [{"message": answer}], "object": "traffic.completion"}))
    assert list(scenario.messages) == [*CHAT, answer]
    assert "the answer" in scenario.warnings[0]
    assert len(Scenario.from_json(scenario.to_json()).messages) == 3


def test_fields_that_a_scenario_uses_otherwise_are_kept_apart():
    data = {"messages": CHAT, "title": "Chat 7", "state": "done", "ids": [9], "topic": "valves"}
    scenario = loads(json.dumps(data))
    assert scenario.extra == {"topic": "valves", "imported": {"title": "Chat 7", "state": "done", "ids": [9]}}
    assert Scenario.from_json(scenario.to_json()).to_json() == scenario.to_json()


def test_older_functions_are_read_as_tools():
    scenario = loads(json.dumps({"messages": CHAT, "functions": [{"name": "f"}]}))
    assert scenario.tools == ({"type": "function", "function": {"name": "f"}},)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("image_png_2.8MB.json", "image_png_2.8MB"),
        ("image_2.8MB", "image_2.8MB"),
        ("a.b.md", "a.b"),
        (".json", ".json"),
    ],
)
def test_a_scenario_is_called_as_its_file_without_the_suffix(file, name):
    assert loads(json.dumps(CHAT), name=file).name == name


def test_a_file_of_many_conversations_lists_them_and_gives_one():
    data = json.dumps([{"messages": CHAT}, {"note": "no chat"}, {"messages": [{"role": "user", "content": "other"}]}])
    message = refused(data, name="chats.json")
    assert (
        'chats.json holds 2 conversations: choose one with --conversation N: 0: "你好 – hi" (2 messages); 1:' in message
    )
    with pytest.raises(WhichConversationError) as raised:
        loads(data)
    assert raised.value.conversations == (("你好 – hi", 2), ("other", 1))
    scenario = loads(data, conversation=1)
    assert scenario.messages[0]["content"] == "other"
    assert "3 records read, 2 conversations kept, 1 skipped" in scenario.warnings[0]
    assert "none with the number 5" in refused(data, conversation=5)
    assert "holds one conversation" in refused(TEXT, conversation=1)
    assert loads(TEXT, conversation=0).messages == loads(TEXT).messages


@pytest.mark.parametrize("one", [CHAT, {"messages": CHAT}, {"schema": "ctxcore.scenario/1", "messages": CHAT}])
def test_conversations_may_be_lists_or_objects_and_one_alone_is_taken(one):
    assert list(loads(json.dumps([one])).messages) == CHAT
    lines = "\n".join([json.dumps(one)] * 3)
    assert "holds 3 conversations" in refused(lines)
    assert list(loads(lines, conversation=2).messages) == CHAT


def test_a_cut_last_line_is_left_out_with_its_number():
    scenario = loads(LINES + '\n{"role": "user", "cont', name="log.jsonl")
    assert list(scenario.messages) == CHAT
    assert scenario.warnings[0].startswith("line 3: skipped, not JSON at column 18")
    assert scenario.warnings[0].endswith("the file is cut off there.")
    assert scenario.warnings[1] == "lines: 3 read, 2 kept, 1 skipped."


def test_a_bad_line_in_the_middle_or_first_costs_no_other():
    first, second = LINES.split("\n")
    for text in ("\n".join([first, "oops", second]), "\n".join(['{"oops', first, second])):
        assert list(loads(text, name="log.jsonl").messages) == CHAT
    scenario = loads("\n".join([first, '{"content": "no role"}', second]))
    assert "line 2: skipped, it has no role." in scenario.warnings


def test_nan_and_surrogates_and_huge_numbers_are_repaired_with_a_warning():
    scenario = loads(
        '[{"role": "user", "content": "a\\ud800b", "p": NaN, "q": -Infinity, "r": 1e999, "s": ' + "9" * 5000 + "}]"
    )
    assert scenario.messages[0] == {"role": "user", "content": "a\ufffdb", "p": None, "q": None, "r": None, "s": None}
    assert [warning.split(" × ")[0] for warning in scenario.warnings] == ["/0: 1", "/0: 4"]


def test_damaged_text_is_read_with_a_warning_and_another_encoding_refused():
    scenario = loads(b'[{"role": "user", "content": "caf\xe9 au lait, s il vous plait"}]', name="a.json")
    assert "\ufffd" in scenario.messages[0]["content"]
    assert "1 characters could not be read as UTF-8" in scenario.warnings[0]
    assert "save it as UTF-8" in refused("价格是多少？今天天气很好。".encode("gb18030"), name="a.txt")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b" \n\t", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\x89PNG\r\n\x1a\n....", "is a PNG image"),
        (b"PK\x03\x04....", "is a zip archive"),
        (b"a\0b", "holds NUL characters (the first at 1)"),
        ("hi".encode("utf-16-le"), "UTF-16 without its mark"),
        (b'{"messages": [}', "line 1, column 15"),
        (b'{\n "messages": [{"role": "user"\n', "The file seems to be cut off"),
        (b"{'messages': []}", "write it with json.dumps"),
        (b'{"a": 1} trailing', "line 1, column 10"),
        (b"{}", "an object with no fields"),
        (b"[]", "the list of messages is empty"),
        (b'{"messages": []}', "the list of messages is empty"),
        (b'{"messages": "hi"}', "messages is a text and no list"),
        (b'{"prompt": "hi", "n": 1}', "an object with prompt, n: no list in messages or history"),
        (b'[{"text": "a"}]', "none of 1 records is a message (the first has the fields text)"),
        (b'["a", "b", "c"]', "none of 3 records is a message"),
        (b'{"messages": [{"content": "x"}]}', "/messages/0: skipped, it has no role"),
        (b'{"schema": "ctxcore.scenario/2"}', "this version reads 'ctxcore.scenario/1'"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named(data, says):
    message = refused(data, name="some.file")
    assert says in message
    assert "some.file" in message or "nested" in message


@pytest.mark.parametrize(
    ("text", "says"), [("42", "holds a number"), ("null", "holds null"), ("hello", "line 1, column 1")]
)
def test_a_json_file_without_a_conversation_is_no_document(text, says):
    assert says in refused(text, name="a.json")


ROLE = {"role": "user", "content": "hi"}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]}


@pytest.mark.parametrize(
    ("data", "format"),
    [
        ({"system": "s", "messages": [ROLE], "max_tokens": 9}, "anthropic"),
        ({"messages": [ROLE, CALL]}, "anthropic"),
        ([ROLE, CALL], "anthropic"),
        ({"messages": [ROLE], "tools": [{"name": "f", "input_schema": {}}]}, "anthropic"),
        ({**ROLE, "role": "assistant", "stop_reason": "end_turn"}, "anthropic"),
        ([ROLE, {**CALL, "ts": 1}], "cline"),
        ({"model": "gpt-5", "input": "hi"}, "openai-responses"),
        ({"input": [ROLE], "instructions": "s"}, "openai-responses"),
        ([ROLE, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}], "openai-responses"),
        ({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}, "gemini"),
        ({"request": {"contents": "hi"}}, "gemini"),
        ([{"role": "user", "parts": [{"text": "hi"}]}], "gemini"),
        ({"messages": [{"type": "human", "content": "hi"}]}, "langchain"),
        ({"channel_values": {"messages": [{"type": "human", "content": "hi"}]}}, "langchain"),
        ([{"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {"content": "hi"}}], "langchain"),
        ([["human", "hi"]], "langchain"),
        ({"trace": {}, "observations": [{"type": "GENERATION", "input": [ROLE]}]}, "langfuse"),
        ([{"uuid": "u", "parentUuid": None, "type": "user", "message": ROLE}], "claude-code"),
        ([{"type": "session_meta", "payload": {"instructions": "s"}}], "codex"),
        (
            [{"mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": ["hi"]}}}}}],
            "chatgpt-export",
        ),
        ([{"conversations": [{"from": "human", "value": "hi"}]}], "sharegpt"),
        ([{"instruction": "a", "input": "", "output": "b"}], "sharegpt"),
        ([{"traj": [ROLE]}], "tau-bench"),
        ({"history": [ROLE], "info": {}}, "swe-agent"),
        ({"messages": [ROLE], "trajectory_format": "mini-swe-agent-1"}, "mini-swe-agent"),
        ({"samples": [{"messages": [ROLE]}], "eval": {"model": "openai/gpt-4o"}}, "inspect"),
        ({"content": [{"type": "text", "text": "x"}], "isError": False}, "mcp"),
        ([{"source": "user", "type": "TextMessage", "content": "hi"}], "autogen"),
        ([{"role": "user", "blocks": [{"block_type": "text", "text": "hi"}]}], "llama-index"),
        ({"chat": {"messages": [ROLE]}}, "open-webui"),
        ({"choices": [{"message": ROLE}]}, "openai-chat"),
        ([{"text": "a"}, {"text": "b"}], "documents"),
    ],
)
def test_formats_of_others_are_recognised_by_their_structure(data, format):
    for text in (json.dumps(data), json.dumps(data, indent=1)):
        scenario = loads(text, name="any.file")
        assert scenario.format == format
        assert format in FORMATS
        assert scenario.messages or scenario.documents


def test_an_error_names_what_is_supported():
    message = refused(b"{}", name="f.json")
    assert all(name in message for name in FORMATS)


def test_paths_that_cannot_be_read_are_named(tmp_path):
    for path, says in (
        (tmp_path / "none.json", "does not exist"),
        (tmp_path, "is a folder"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(InputError, match=says):
            load(path)
    with pytest.raises(InputError, match="cannot be read"):
        load("x" * 5000)


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TEXT.encode())))
    scenario = load("-")
    assert (scenario.name, list(scenario.messages)) == ("stdin", CHAT)


@given(st.binary(max_size=200) | st.text(max_size=200) | st.text(alphabet='[]{}":,\n role1', max_size=60))
@settings(max_examples=300, deadline=None)
def test_no_input_crashes(data):
    with contextlib.suppress(InputError):
        loads(data, name="any")


names = st.sampled_from(
    [
        "messages",
        "history",
        "role",
        "content",
        "parts",
        "type",
        "text",
        "tools",
        "functions",
        "choices",
        "message",
        "system",
        "input",
        "object",
        "data",
        "request",
        "contents",
        "mapping",
        "traj",
        "conversations",
        "chat",
        "session",
        "items",
        "tool_calls",
        "function",
        "arguments",
        "id",
        "tool_call_ids",
        "name",
        "state",
        "documents",
        "tool_results",
        "ids",
        "schema",
        "jsonrpc",
        "isError",
        "uuid",
        "sessionId",
    ]
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["user", "tool", "a", "ctxcore.scenario/1"])
)
odd = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4), max_leaves=20
)
odd_message = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"])},
    optional={
        "content": odd,
        "tool_calls": odd | st.lists(odd, max_size=2),
        "tool_call_ids": odd,
        "tool_call_id": odd,
    },
)


@given(
    odd
    | st.lists(odd | odd_message, max_size=4)
    | st.dictionaries(names, odd | st.lists(odd_message, max_size=3), max_size=4)
)
@settings(max_examples=300, deadline=None)
def test_odd_json_is_read_or_refused_and_what_is_read_can_be_written(data):
    for text in (json.dumps(data), "\n".join(map(json.dumps, data)) if isinstance(data, list) else "x"):
        with contextlib.suppress(InputError):
            scenario = loads(text, name="any.json")
            assert Scenario.from_json(scenario.to_json()).to_json() == scenario.to_json()


@pytest.mark.parametrize(("ids", "read"), [([None, "b"], None), ([False, "b"], "false"), (["a", "b"], "a")])
def test_a_list_of_ids_is_read_once_and_for_all(ids, read):
    scenario = loads(json.dumps([{"role": "tool", "tool_call_ids": ids, "content": "done"}]), name="any.json")
    assert scenario.messages[0].get("tool_call_id") == read
    assert Scenario.from_json(scenario.to_json()).to_json() == scenario.to_json()


def test_an_error_is_one_line_however_long_and_broken_the_names_in_it_are():
    with pytest.raises(InputError) as told:
        loads('{"a\\nb ' + "x" * 500 + '": 1}', name="log.json")
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 800
