"""Each page opens, through app.py, on every built-in scenario and in both languages; and its one gesture works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui import shipped
from ui.words import words

ROOT = Path(__file__).parents[2]
PAGES = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "pages").rglob("*.py"))


def opened(page: str = "pages/debug/sources.py", **query: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params.update(query)
    at.run()
    return at.switch_page(page).run()


def said(at: AppTest) -> list[str]:
    """Errors that nobody foresaw. That a scenario cannot fit is told as well, but is as it should be."""
    apology = words("en")["error.unforeseen"].partition("{")[0], words("zh")["error.unforeseen"].partition("{")[0]
    return [
        *(each.value for each in at.exception),
        *(each.value for each in at.error if each.value.startswith(apology)),
    ]


@pytest.mark.parametrize("scenario", shipped.names())
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_on_every_scenario(page, scenario):
    assert said(opened(page, scenario=scenario)) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_in_chinese(page):
    assert said(opened(page, language="zh")) == []


def area(at: AppTest, holding: str):
    return next(each for each in at.text_area if holding in each.key)


def test_an_edited_question_is_kept_and_can_be_undone():
    at = opened(scenario="support-chat")
    question = at.text_area[1]
    before = question.value
    question.set_value("What now?").run()
    assert at.text_area[1].value == "What now?"
    at.switch_page("pages/debug/playground.py").run()
    at.switch_page("pages/debug/sources.py").run()
    assert at.text_area[1].value == "What now?"
    at.button(key="frame.undo").click().run()
    assert at.text_area[1].value == before
    at.button(key="frame.redo").click().run()
    assert at.text_area[1].value == "What now?"
    assert said(at) == []


def test_what_the_app_keeps_of_a_tab_is_plain_json():
    at = opened(scenario="support-chat")
    at.text_area[1].set_value("What now?").run()
    for name in ("_settings", "_tab"):
        kept = at.session_state[name]
        assert json.loads(json.dumps(kept)) == kept


def test_a_new_tab_goes_on_where_the_last_one_was():
    opened(scenario="support-chat").text_area[1].set_value("What now?").run()
    assert opened().text_area[1].value == "What now?"


def test_a_link_opens_what_it_names():
    at = opened(scenario="support-chat", system="raw", stage="assemble", view="treemap", window="8000")
    plain = at.session_state["_settings"]
    shown = {name: plain[name] for name in ("scenario", "system", "stage", "view", "window")}
    assert shown == {
        "scenario": "support-chat",
        "system": "raw",
        "stage": "assemble",
        "view": "treemap",
        "window": 8000,
    }


@pytest.mark.parametrize(
    "query", [{"scenario": "nowhere"}, {"system": "none"}, {"window": "-1"}, {"window": "²"}, {"stage": "<img src=x>"}]
)
def test_a_link_that_makes_no_sense_opens_the_rest(query):
    at = opened(**query)
    assert said(at) == []
    assert at.session_state["_settings"]["scenario"] == shipped.names()[0]


def test_a_pasted_conversation_takes_the_place_of_the_scenario():
    at = opened()
    at.segmented_control(key="sources.section").set_value("import").run()
    at.text_area(key="sources.paste").set_value('[{"role": "user", "content": "Why is the sky blue?"}]')
    at.button(key="sources.open").click().run()
    at.segmented_control(key="sources.section").set_value("prompt").run()
    assert [each.value for each in at.text_area] == ["", "Why is the sky blue?"]
    assert said(at) == []


def test_a_text_that_cannot_be_read_is_told_and_changes_nothing():
    at = opened()
    at.segmented_control(key="sources.section").set_value("import").run()
    at.text_area(key="sources.paste").set_value('{"messages": 7}')
    at.button(key="sources.open").click().run()
    assert len(at.error) == 1
    assert not at.exception
    assert at.session_state["_settings"]["revision"] == ""
