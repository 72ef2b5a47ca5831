"""What comes in can be read otherwise, and what goes out can have any shape, with its losses."""

from __future__ import annotations

from tests.pages.test_pages import opened, pasted, said
from tests.test_formats import PI, lines


def test_a_session_that_was_compacted_can_be_read_as_the_model_saw_it():
    at = pasted(lines(*PI))
    assert "pasted is open: 4 messages" in [each.value for each in at.success]
    reading = next(each for each in at.selectbox if each.key.startswith("sources.reading"))
    assert reading.options == ["1. the whole session", "2. the context after compaction 1"]
    reading.select_index(1).run()
    assert said(at) == []
    assert "pasted is open: 3 messages" in [each.value for each in at.success]
    reading = next(each for each in at.selectbox if each.key.startswith("sources.reading"))
    assert reading.index == 1


def test_the_messages_can_be_had_in_every_shape_and_the_pick_is_kept():
    at = opened("pages/debug/playground.py", scenario="with-images", stage="construct", view="messages")
    shape = next(each for each in at.segmented_control if "shape" in each.key)
    for name, mark in {"anthropic": '"max_tokens"', "gemini": '"contents"', "python": "trace = build("}.items():
        shape.set_value(name).run()
        assert said(at) == []
        assert mark in at.code[0].value
        assert any("cannot hold" in each.label for each in at.expander) == (name != "python")  # the model, at least
        shape = next(each for each in at.segmented_control if "shape" in each.key)
    at.switch_page("pages/debug/sources.py").run()
    at.switch_page("pages/debug/playground.py").run()
    assert "trace = build(" in at.code[0].value
