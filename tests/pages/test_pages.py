"""Each page opens, through app.py, on every built-in scenario and in both languages; and its one gesture works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui.sources import shipped
from ui.sources.scenarios import is_edited
from ui.words import words
from ui.workspace.workspace import Workspace

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


def pasted(text: str) -> AppTest:
    at = opened()
    at.segmented_control(key="sources.section").set_value("import").run()
    at.text_area(key="sources.paste").set_value(text)
    return at.button(key="sources.open").click().run()


def test_of_several_conversations_the_user_chooses_one_by_its_first_words():
    chats = [[{"role": "user", "content": f"Question {k}"}] for k in range(3)]
    at = pasted(json.dumps(chats))
    assert not at.error
    which = next(each for each in at.selectbox if each.key.startswith("sources.which"))
    assert which.options[1] == "2. Question 1 · 1 message"
    which.select_index(1).run()
    assert "pasted is open: 1 message" in [each.value for each in at.success]
    assert not [each for each in at.selectbox if each.key.startswith("sources.which")]
    at.segmented_control(key="sources.section").set_value("prompt").run()
    assert at.text_area[1].value == "Question 1"
    assert said(at) == []


def test_what_was_opened_is_called_edited_only_once_it_was():
    at = pasted("A text.")
    assert [each.value for each in at.success] == ["pasted is open: 1 document"]
    assert not is_edited(Workspace.from_plain(at.session_state["_settings"]))
    at.segmented_control(key="sources.section").set_value("documents").run()
    area(at, "doc-01").set_value("Another text.").run()
    assert is_edited(Workspace.from_plain(at.session_state["_settings"]))
    at.button(key="frame.undo").click().run()
    assert not is_edited(Workspace.from_plain(at.session_state["_settings"]))


def test_the_model_is_the_files_or_the_first_one_again():
    chat = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "x"}], "settings": {"window": "8k"}}
    at = pasted(json.dumps(chat))
    assert at.session_state["_settings"]["model"] == "gpt-4o-mini"
    at.text_area(key="sources.paste").set_value("A text.")
    at.button(key="sources.open").click().run()
    assert at.session_state["_settings"]["model"] == "gpt-4o"
    assert said(at) == []


def test_settings_of_a_file_that_make_no_sense_are_left_out():
    settings = {"window": "8k", "system": "none", "model": 5, "limits": ["a"], "reserve": 300}
    at = pasted(json.dumps({"schema": "ctxcore.scenario/1", "settings": settings, "messages": []}))
    kept = at.session_state["_settings"]
    assert (kept["window"], kept["system"], kept["model"], kept["reserve"]) == (128_000, "gssc", "gpt-4o", 300)
    assert "window" in at.toast[-1].value
    assert said(at) == []


@pytest.mark.parametrize("window", [10**18, 10**400, 0, -5, True])
def test_a_window_or_limit_that_no_slider_can_show_is_named_and_left_out(window: int):
    limits = {"recent": "1e300%", "history": 10**30, "tools": 0.25, "docs": "nan%", "notes": "30%"}
    settings = {"window": window, "reserve": 10**18, "limits": limits}
    at = pasted(json.dumps({"schema": "ctxcore.scenario/1", "settings": settings, "messages": []}))
    kept = at.session_state["_settings"]
    assert (kept["window"], kept["reserve"], kept["limits"]) == (128_000, None, {"notes": "30%"})
    told = at.toast[-1].value.replace("\\", "")
    assert "window, reserve, limits.recent, limits.history, limits.tools, limits.docs" in told
    assert said(at) == []


def test_a_text_that_cannot_be_read_is_told_and_changes_nothing():
    at = opened()
    at.segmented_control(key="sources.section").set_value("import").run()
    at.text_area(key="sources.paste").set_value('{"messages": 7}')
    at.button(key="sources.open").click().run()
    assert len(at.error) == 1
    assert not at.exception
    assert at.session_state["_settings"]["revision"] == ""
