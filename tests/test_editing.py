"""Edits of a scenario: what was not edited stays the same object, ids are never used again."""

from __future__ import annotations

import pytest

from ctxcore.scenario import Record, Scenario
from ui.sources import editing

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def chat(*roles: str, **more: object) -> Scenario:
    return Scenario.from_messages([{"role": role, "content": f"{role} {n}"} for n, role in enumerate(roles)], **more)


def test_an_edited_message_keeps_its_id_and_leaves_the_others_alone():
    before = chat("system", "user", "assistant", "user")
    after = editing.asked(before, "Why?")
    assert after.ids == before.ids
    assert [message["content"] for message in after.messages][-1] == "Why?"
    assert all(new is old for new, old in zip(after.messages[:-1], before.messages[:-1], strict=True))


def test_a_removed_message_takes_its_pin_along_and_its_id_is_never_given_again():
    before = editing.pinned(chat("user", "assistant", "user"), "turn-0003", True)
    after = editing.message_removed(before, 2)
    assert after.pinned == ()
    assert "turn-0003" not in editing.message_added(after, {"role": "user", "content": "x"}, 2).ids


def test_a_call_and_its_results_are_one_group_and_go_together():
    call = {"role": "assistant", "tool_calls": [{"id": k, "function": {"name": "f", "arguments": "{}"}} for k in "ab"]}
    results = [{"role": "tool", "tool_call_id": k, "content": k} for k in "ab"]
    before = Scenario.from_messages(
        [{"role": "user", "content": "x"}, call, *results, {"role": "user", "content": "y"}]
    )
    assert {editing.group_of(before, at) for at in (1, 2, 3)} == {(1, 2, 3)}
    assert editing.group_of(before, 0) == (0,)
    pinned = editing.pinned(before, before.ids[2], True)
    after = editing.message_removed(pinned, 1, 2, 3)
    assert [message["content"] for message in after.messages] == ["x", "y"]
    assert after.ids == (before.ids[0], before.ids[4])
    assert after.pinned == ()


def test_a_system_prompt_and_a_question_are_made_where_there_is_none():
    after = editing.asked(editing.system_said(Scenario.from_messages([]), "Be brief."), "Why?")
    assert [message["role"] for message in after.messages] == ["system", "user"]


def test_the_words_of_a_message_with_a_picture_are_edited_in_their_place():
    message = {"role": "user", "content": [{"type": "text", "text": "a"}, IMAGE, {"type": "text", "text": "b"}]}
    assert editing.texts_of(message) == ("a", "b")
    edited = editing.with_text(message, "c", at=1)
    assert edited["content"] == [{"type": "text", "text": "a"}, IMAGE, {"type": "text", "text": "c"}]
    assert editing.with_text({"role": "user", "content": [IMAGE]}, "c")["content"] == [
        {"type": "text", "text": "c"},
        IMAGE,
    ]


@pytest.mark.parametrize("kind", ["documents", "tool_results", "notes", "memory", "profile"])
def test_records_are_added_changed_and_removed(kind):
    added = editing.record_added(chat("user"), kind, Record("", "text", "title"))
    (record,) = getattr(added, kind)
    assert (record.text, record.title, bool(record.id)) == ("text", "title", True)
    changed = editing.record_changed(added, kind, 0, text="other")
    assert [(each.id, each.text) for each in getattr(changed, kind)] == [(record.id, "other")]
    assert getattr(editing.record_removed(changed, kind, 0), kind) == ()


def test_the_state_comes_and_goes():
    with_state = editing.state_said(chat("user"), "goal: 38%")
    assert with_state.state.text == "goal: 38%"
    assert editing.state_said(with_state, "").state is None
