"""The scenario: ids for life, nothing lost on the way to JSON and back, helpful errors, no change to what was given."""

import copy
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.errors import InputError
from ctxcore.scenario import SCHEMA, Record, Scenario

CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "List the valves."},
    {"role": "assistant", "content": "V3 and V7."},
    {"role": "developer", "content": "Metric units."},
    {"role": "user", "content": "Close V3."},
]

words = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.text(alphabet="abcdefgh_", min_size=1, max_size=6).map(lambda name: f"x_{name}")  # no field of ours
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
unknown = st.dictionaries(names, values, max_size=3)
message = st.builds(
    lambda role, content, more: {"role": role, "content": content, **more},
    st.sampled_from(["system", "developer", "user", "assistant"]),
    words | st.none() | st.lists(st.builds(lambda text: {"type": "text", "text": text}, words), max_size=3),
    unknown,
)
document = st.builds(lambda text, more: {"text": text, **more}, words, unknown)
result = st.builds(
    lambda text, tool, recent, more: {"text": text, "tool": tool, "recent": recent, **more},
    words,
    words.filter(bool),
    st.booleans(),
    unknown,
)
scenario_files = st.builds(
    lambda fields, more: {"schema": SCHEMA, "name": "any", **{k: v for k, v in fields.items() if v}, **more},
    st.fixed_dictionaries(
        {
            "messages": st.lists(message, max_size=6),
            "documents": st.lists(document, max_size=3),
            "tool_results": st.lists(result, max_size=3),
            "notes": st.lists(document, max_size=2),
            "tools": st.lists(unknown, max_size=2),
            "settings": unknown,
            "title": st.dictionaries(st.sampled_from(["en", "zh"]), words),
            "must_keep": st.lists(words, max_size=2),
        }
    ),
    unknown,
)


def holds(written, given_):
    """Whether everything in `given_` is in `written`, which may have more: the ids."""
    if isinstance(given_, dict):
        return all(name in written and holds(written[name], value) for name, value in given_.items())
    if isinstance(given_, list):
        return len(written) == len(given_) and all(map(holds, written, given_))
    return written == given_


@given(scenario_files)
@settings(max_examples=150, deadline=None)
def test_json_and_back_keeps_everything_and_changes_nothing(data):
    before = copy.deepcopy(data)
    scenario = Scenario.from_json(data)
    written = scenario.to_json()
    assert data == before
    assert holds(written, data)
    again = Scenario.from_json(json.loads(json.dumps(written)))
    assert again.to_json() == written
    assert again.revision == scenario.revision


@given(
    st.recursive(
        values,
        lambda inner: st.dictionaries(
            st.sampled_from(
                [
                    "messages",
                    "ids",
                    "tools",
                    "documents",
                    "notes",
                    "state",
                    "title",
                    "settings",
                    "name",
                    "role",
                    "content",
                    "issued",
                    "system",
                    "user_message",
                    "conversation_history",
                    "task_state",
                    "tool_calls",
                    "text",
                    "id",
                    "score",
                ]
            ),
            inner,
        ),
        max_leaves=12,
    )
)
@settings(max_examples=200, deadline=None)
def test_odd_json_is_read_or_refused_and_never_crashes(data):
    if not isinstance(data, dict):
        return
    try:
        scenario = Scenario.from_json({"schema": SCHEMA, **data})
    except InputError:
        return
    assert Scenario.from_json(scenario.to_json()).to_json() == scenario.to_json()


def test_ids_count_positions_for_turns_and_system_messages_apart():
    scenario = Scenario.from_messages(CHAT)
    assert scenario.ids == ("system-01", "turn-0002", "turn-0003", "system-02", "turn-0005")


def test_an_id_is_never_given_again():
    scenario = Scenario.from_messages(CHAT)
    shorter = scenario.edited(messages=scenario.messages[:-1])
    longer = shorter.edited(messages=(*shorter.messages, {"role": "user", "content": "Open V7."}))
    assert longer.ids == (*scenario.ids[:-1], "turn-0006")
    reloaded = Scenario.from_json(shorter.to_json())
    assert reloaded.with_query("Open V7.").ids[-1] == "turn-0006"
    without = Scenario.from_json({"schema": SCHEMA, "documents": ["a", "b"]}).edited(documents=())
    assert without.with_documents([Record("", "c")]).documents[0].id == "doc-03"


def test_messages_that_stay_keep_their_ids_wherever_they_go():
    scenario = Scenario.from_messages(CHAT)
    system, first, *rest = scenario.messages
    moved = scenario.edited(messages=(first, system, *copy.deepcopy(rest)))
    assert moved.ids == ("turn-0002", "system-01", *scenario.ids[2:])
    inserted = scenario.edited(messages=(system, {"role": "user", "content": "Hello"}, first, *rest))
    assert inserted.ids == ("system-01", "turn-0006", *scenario.ids[1:])


def test_a_message_edited_in_its_place_keeps_its_id_and_unchanged_ones_stay_the_same_objects():
    scenario = Scenario.from_messages(CHAT)
    messages = list(scenario.messages)
    messages[1] = {**messages[1], "content": "List all valves."}
    edited = scenario.edited(messages=messages)
    assert edited.ids == scenario.ids
    assert edited.messages[2] is scenario.messages[2]
    assert scenario.messages[1]["content"] == "List the valves."


def test_equal_messages_keep_their_order_of_ids():
    scenario = Scenario.from_messages([{"role": "user", "content": "ok"}] * 3)
    fewer = scenario.edited(messages=[{"role": "user", "content": "ok"}] * 2)
    assert scenario.ids == ("turn-0001", "turn-0002", "turn-0003")
    assert fewer.ids == ("turn-0001", "turn-0002")


def test_a_message_put_in_twice_becomes_two():
    scenario = Scenario.from_messages(CHAT[:2])
    system, asked = scenario.messages
    twice = scenario.edited(messages=(system, asked, asked))
    assert twice.ids == ("system-01", "turn-0002", "turn-0003")
    assert twice.edited(messages=twice.messages[1:]).ids == ("turn-0002", "turn-0003")


def test_the_caller_s_objects_are_neither_changed_nor_shared():
    chat = [{"role": "user", "content": [{"type": "text", "text": "hi"}], "mood": {"good": True}}]
    before = copy.deepcopy(chat)
    scenario = Scenario.from_messages(chat)
    chat[0]["content"][0]["text"] = "changed"
    assert scenario.messages[0] == before[0]
    scenario.to_json()["messages"][0]["mood"]["good"] = False
    assert scenario.messages[0]["mood"]["good"] is True


def test_a_question_is_asked_once():
    scenario = Scenario.from_messages(CHAT)
    assert scenario.with_query("Close V3.") is scenario
    assert scenario.with_query("  ") is scenario
    asked = scenario.with_query("And V7?")
    assert asked.messages[-1] == {"role": "user", "content": "And V7?"}
    assert asked.with_query("And V7?") is asked
    in_parts = Scenario.from_messages([{"role": "user", "content": [{"type": "text", "text": "hi"}]}])
    assert in_parts.with_query("hi") is in_parts


def test_documents_are_added_under_ids_of_their_own():
    scenario = Scenario.from_json({"schema": SCHEMA, "documents": ["one"]})
    more = scenario.with_documents([Record("doc-01", "two"), Record("handbook", "three"), Record("handbook", "four")])
    assert [(record.id, record.text) for record in more.documents] == [
        ("doc-01", "one"),
        ("doc-02", "two"),
        ("handbook", "three"),
        ("doc-03", "four"),
    ]
    assert more.documents[0] is scenario.documents[0]


def test_short_forms_are_spelled_out():
    scenario = Scenario.from_json(
        {
            "schema": SCHEMA,
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "Why?"}],
            "documents": ["plain", {"content": "scored", "score": 0.5, "page": 3}],
            "notes": "remember",
            "memory": ["a", "b"],
            "state": {"step": 2},
            "title": "Valves",
            "must_keep": "38%",
        }
    )
    assert [item["role"] for item in scenario.messages] == ["system", "user"]
    assert [(record.id, record.text, record.score) for record in scenario.documents] == [
        ("doc-01", "plain", None),
        ("doc-02", "scored", 0.5),
    ]
    assert scenario.documents[1].extra == {"page": 3}
    assert [record.text for record in (*scenario.notes, *scenario.memory)] == ["remember", "a", "b"]
    assert scenario.state.text == '{"step": 2}'
    assert scenario.title == {"en": "Valves"}
    assert scenario.must_keep == ("38%",)


def test_the_example_in_the_docs_is_read_and_written_as_it_stands():
    page = (Path(__file__).parents[1] / "docs" / "scenario.md").read_text("utf-8")
    example = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])
    scenario = Scenario.from_json(example)
    assert scenario.to_json() == example
    assert scenario.warnings == ()


def test_the_article_s_fields_are_read():
    scenario = Scenario.from_json(
        {
            "system_prompt": "You analyse retention.",
            "user_message": "Why did it fall?",
            "conversation_history": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
            "tool_results": [{"tool": "sql", "result": "38%", "recent": True}, {"tool": "sql", "result": {"rows": 2}}],
            "retrieved_docs": [{"content": "A report", "score": 0.9}],
            "task_state": {"goal": "explain"},
            "agent_notes": ["check week 3"],
        }
    )
    assert [item["content"] for item in scenario.messages] == [
        "You analyse retention.",
        "Hi",
        "Hello",
        "Why did it fall?",
    ]
    first, second = scenario.tool_results
    assert (first.title, first.text, first.recent) == ("sql", "38%", True)
    assert (second.text, second.recent) == ('{"rows": 2}', False)
    assert scenario.documents[0].score == 0.9
    assert scenario.notes[0].text == "check week 3"
    assert scenario.extra == {}


def test_a_state_is_written_as_it_came_until_its_text_is_edited():
    scenario = Scenario.from_json({"schema": SCHEMA, "state": {"id": "state-07", "value": {"step": 2}, "by": "me"}})
    assert scenario.to_json()["state"] == {"id": "state-07", "value": {"step": 2}, "by": "me"}
    edited = scenario.edited(state=Record("state-07", "step 3", extra=scenario.state.extra))
    assert edited.to_json()["state"] == {"id": "state-07", "value": "step 3", "by": "me"}


def test_the_revision_changes_with_content_only():
    scenario = Scenario.from_messages(CHAT)
    assert scenario.revision == Scenario.from_messages(copy.deepcopy(CHAT)).revision
    assert scenario.revision != scenario.with_query("And V7?").revision
    assert scenario.revision != scenario.edited(settings={"window": 2000}).revision
    assert len(scenario.revision) == 12


def test_what_json_cannot_carry_is_repaired_with_a_warning():
    scenario = Scenario.from_messages([{"role": "user", "content": "a\ud800b", "score": float("nan"), "big": 10**5000}])
    assert scenario.messages[0] == {"role": "user", "content": "a\ufffdb", "score": None, "big": None}
    assert any("/messages/0: 1 × lone surrogates" in warning for warning in scenario.warnings)
    assert any("/messages/0: 2 × numbers" in warning for warning in scenario.warnings)
    json.dumps(scenario.to_json(), allow_nan=False).encode()


def test_one_bad_message_costs_no_other():
    scenario = Scenario.from_messages(["hi", {"content": "no role"}, {"role": "user", "content": "good"}, None])
    assert [item["content"] for item in scenario.messages] == ["good"]
    assert scenario.ids == ("turn-0001",)
    assert "messages: 4 read, 1 kept, 3 skipped." in scenario.warnings


def test_odd_content_and_calls_become_what_stages_can_rely_on():
    scenario = Scenario.from_messages(
        [
            {"role": "user", "content": {"a": 1}},
            {
                "role": "user",
                "content": ["bare", 5, {"type": "text", "text": None}, {"type": "image_url", "image_url": "u"}],
            },
            {"role": "assistant", "tool_calls": [{"id": 1, "function": {"name": "f", "arguments": {"x": 2}}}, "junk"]},
            {"role": "assistant", "content": "x", "tool_calls": "none"},
            {"role": "tool", "tool_call_ids": ["c1"], "content": "ok"},
        ]
    )
    first, second, third, fourth, fifth = scenario.messages
    assert first["content"] == '{"a": 1}'
    assert [part.get("text") for part in second["content"]] == ["bare", "5", "", None]
    assert second["content"][3]["image_url"] == {"url": "u"}
    assert third["tool_calls"] == [{"id": "1", "function": {"name": "f", "arguments": '{"x": 2}'}}]
    assert "tool_calls" not in fourth
    assert fifth["tool_call_id"] == "c1"
    assert len(scenario.warnings) == 9


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"schema": "ctxcore.scenario/9"}, "this version reads 'ctxcore.scenario/1'"),
        ({"messages": "hi"}, "messages is a text: give a list"),
        ({"messages": {"role": "user"}}, "messages is an object: give a list"),
        ({"messages": CHAT, "ids": ["a"]}, "ids has 1 entries for 5 messages"),
        ({"messages": CHAT[:2], "ids": ["a", "a"]}, "messages[1] has the id 'a', which messages[0] has already"),
        ({"messages": CHAT[:2], "ids": ["a", 2]}, "ids[1] is a number"),
        ({"documents": [{"id": "x", "text": ""}], "notes": [{"id": "x", "text": ""}]}, "notes[0] has the id 'x'"),
        ({"documents": [{"title": "no text"}]}, "documents[0] has no text; its fields are title"),
        ({"documents": [3]}, "documents[0] is a number"),
        ({"documents": [{"text": "a", "score": "high"}]}, "documents[0].score is a text"),
        ({"tool_results": [{"text": "a", "recent": 1}]}, "tool_results[0].recent is a number"),
        ({"settings": [1]}, "settings is a list"),
        ({"tools": "none"}, "tools is a text"),
        ({"must_keep": [1]}, "must_keep must be a list of texts"),
        ({"title": 3}, "title must be a text"),
        ({"name": 3}, "name is a number"),
        ({"issued": {"turn": "many"}}, "issued.turn is 'many'"),
        ({"system": 3}, "system is a number"),
        ({"conversation_history": "hi"}, "conversation_history is a text"),
        ({"state": {"a": 1}, "task_state": {"b": 1}}, "Both task_state and state are given"),
    ],
)
def test_errors_name_field_find_and_remedy(data, says):
    with pytest.raises(InputError) as raised:
        Scenario.from_json({"schema": SCHEMA, **data})
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_values_that_are_no_json_are_refused_by_name():
    with pytest.raises(InputError, match="A set is not a JSON value"):
        Scenario.from_messages([{"role": "user", "content": {1, 2}}])
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="nested too deeply"):
        Scenario.from_messages([{"role": "user", "content": "x", "deep": deep}])


def test_messages_of_the_openai_package_are_taken():
    chat = pytest.importorskip("openai.types.chat")
    answer = chat.ChatCompletionMessage(role="assistant", content="hi")
    assert Scenario.from_messages([answer]).messages == ({"role": "assistant", "content": "hi"},)


def test_load_takes_a_path_and_a_text(tmp_path):
    file = tmp_path / "chat.request.json"
    file.write_text(json.dumps({"model": "gpt-4o", "messages": CHAT}), encoding="utf-8")
    by_path = Scenario.load(file)
    assert (by_path.name, by_path.format, by_path.settings) == ("chat.request", "openai-chat", {"model": "gpt-4o"})
    assert Scenario.load(str(file)).messages == by_path.messages
    assert Scenario.load(file.read_text("utf-8")).messages == by_path.messages
    assert Scenario.load(file.read_bytes()).messages == by_path.messages
