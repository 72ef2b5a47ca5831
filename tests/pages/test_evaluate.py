"""Evaluate: the proxy without a model; with one, the price, the button, answers that stay; questions of one's own."""

from __future__ import annotations

import json
import time

import pytest
from streamlit.testing.v1 import AppTest

from ctxcore.evaluating.questions import shipped_set
from tests.models.acting import answer, serving
from tests.pages.test_pages import opened, said
from ui import jobs
from ui.compare.evaluate import JOB

PAGE = "pages/debug/compare.py"
WINDOW = "4000"


def evaluated(**query: str) -> AppTest:
    return opened(PAGE, scenario="support-chat", part="evaluate", window=WINDOW, other="system:raw", **query)


def knows_the_card(request) -> None:
    """Answers one question out of its prompt, the others never."""
    told = "4402" if "4402" in json.dumps(request.server.bodies[-1]["messages"]) else "I do not know."
    usage = {"prompt_tokens": 1000, "completion_tokens": 4}
    answer({"choices": [{"message": {"content": told}}], "usage": usage})(request)


@pytest.fixture
def server():
    with serving() as acting:
        acting.acts = [knows_the_card]
        yield acting


def shown(at: AppTest) -> str:
    return "\n".join(each.value for each in at.markdown).replace("\\", "")


def test_without_a_model_there_is_a_proxy_and_no_button():
    at = evaluated()
    assert said(at) == []
    assert "Model-free proxy" in shown(at)
    assert [each for each in at.button if each.key == "evaluate.start"] == []
    table = at.dataframe[0].value
    assert len(table) == len(shipped_set("support-chat").questions)


def test_the_button_says_what_it_asks_and_what_came_is_kept_for_the_next_visit(server):
    at = evaluated()
    at.session_state["_endpoint"] = {"model": "gpt-4o-mini", "base_url": server.address, "key": "k"}
    at.run()
    button = at.button(key="evaluate.start")
    assert "24" in button.label
    assert any("USD" in each.value for each in at.caption)
    assert server.bodies == []
    button.click().run()
    job = jobs.job(at.session_state[JOB])
    until = time.monotonic() + 30
    while not job.done and time.monotonic() < until:
        time.sleep(0.05)
    at.run()
    assert job.error == ""
    assert len(server.bodies) == 24
    assert "McNemar exact p" in shown(at)
    assert any("illustration only" in each.value for each in at.warning)
    again = evaluated()
    again.session_state["_endpoint"] = {"model": "gpt-4o-mini", "base_url": server.address, "key": "k"}
    again.run()
    assert "McNemar exact p" in shown(again)
    assert [each for each in again.button if each.key == "evaluate.start"] == []
    assert len(server.bodies) == 24
    assert said(again) == []


def test_ones_own_questions_take_the_place_of_those_that_ship():
    at = evaluated()
    area = next(each for each in at.text_area if "questions" in each.key)
    area.set_value("To which card does the refund go? = 4402").run()
    assert len(at.dataframe[0].value) == 1
    area = next(each for each in at.text_area if "questions" in each.key)
    area.set_value("a line without an answer").run()
    assert any("Line 1" in each.value for each in at.error)
    assert said(at) == []


def test_other_sources_cannot_be_asked_the_same_questions():
    at = opened(PAGE, scenario="support-chat", part="evaluate", other="scenario:chinese-service")
    assert said(at) == []
    assert any("same sources" in each.value for each in at.info)
