"""Present: every talk there is goes from its first to its last screen; the place in it is in the address."""

from __future__ import annotations

import pytest

from ctxcore.comparing.demos import DEMOS
from tests.pages.test_pages import opened, said
from ui.talks.faults import fault
from ui.talks.screen import Talk
from ui.views.all import VIEWS

PAGE = "pages/show/present.py"
WRITTEN = {"first": 5, "middle": 4, "agent": 3}


@pytest.mark.parametrize("name", [*WRITTEN, "article-gssc", "article-compiler", "article-layered", "own"])
def test_a_talk_is_walked_to_its_end(name):
    at, titles = opened(PAGE, talk=name), []
    while True:
        assert said(at) == []
        titles.append(at.title[0].value)
        if (ahead := at.button(key="present.next")).disabled:
            break
        ahead.click().run()
    assert len(titles) == len(set(titles)) == WRITTEN.get(name, len(titles)) > 2
    assert at.query_params["screen"] == str(len(titles))


def test_a_stage_of_the_run_at_hand_is_a_screen_that_opens_in_the_playground():
    at = opened(PAGE, scenario="support-chat", talk="own", screen="2")
    assert at.title[0].value == "select"
    assert any("9,129 → 6,478" in each.value for each in at.markdown)
    assert "turn-0004" in at.text[0].value or "do not fit" in at.text[0].value  # the notes name the largest losses
    at.button(key="present.leave").click().run()
    assert at.session_state["_settings"]["stage"] == "select"


@pytest.mark.parametrize("name", DEMOS)
def test_each_fault_is_a_talk_of_two_screens_that_are_not_the_same(name):
    told: Talk = fault(name, "en")
    first, second = told.screens
    assert first.title != second.title
    assert {first.view, second.view} <= set(VIEWS)
    assert DEMOS[name].shows(first.run(), second.run())


@pytest.mark.parametrize(("talk", "screen"), [("nothing", "1"), ("first", "99"), ("first", "-3"), ("first", "x")])
def test_a_place_that_is_none_is_a_place_all_the_same(talk, screen):
    at = opened(PAGE, talk=talk, screen=screen)
    assert said(at) == []
    assert len(at.title) == 1
    assert bool(at.info) == (talk == "nothing")


def test_in_full_screen_nothing_stands_around_the_talk():
    at = opened(PAGE)
    at.toggle[0].set_value(True).run()
    assert any("stSidebar" in each.proto.body for each in at.get("html"))
