"""What the Agent page shows: the chart adds up, the numbers are the run's, and a model's steps appear as they come."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bench.agent import agent_table, comparison
from ctxcore.agent.react_format import reply_schema
from ctxcore.agent.scripted import play, script
from ctxcore.agent.step import Step
from ctxcore.model.endpoint import Endpoint
from ctxcore.model.replies import Reply
from ctxcore.settings import Settings
from tests.models.acting import Server, answer, fails, silent
from tests.models.test_faulty_server import KEY
from ui.agent.chart import LAYERS, UNMANAGED, compacted, figure
from ui.agent.episodes import WINDOWS
from ui.agent.live import STEPS
from ui.agent.small import FIRST_ANSWER, ROOM, Small

ROOT = Path(__file__).parents[2]
PAGE = "pages/debug/agent.py"


def played(managed: bool = True, window: int = 8_000) -> tuple[Step, ...]:
    return tuple(play(script(), managed=managed, settings=Settings(system="layered", window=window)))


# --- the chart and the numbers


def test_the_layers_of_a_step_add_up_to_its_payload():
    managed, unmanaged = played(), played(managed=False)
    curves = figure(managed, unmanaged, 3).data
    heights = [sum(tokens) for tokens in zip(*(curve.y for curve in curves[: len(LAYERS)]), strict=True)]
    assert heights == [step.predicted for step in managed]
    assert list(curves[UNMANAGED].y) == [step.predicted for step in unmanaged]


def test_a_step_in_which_something_was_compacted_is_marked():
    steps = played(window=4_000)
    marks = figure(steps, (), 1).data[UNMANAGED + 1]
    assert list(marks.x) == [step.number for step in steps if compacted(step)] == [6, 7, 8, 9, 10]
    assert not any(map(compacted, played()))


@pytest.mark.parametrize("managed", [True, False])
def test_one_run_alone_is_drawn(managed):
    run = played(managed)
    chart = figure(run, (), 1) if managed else figure((), run, 0)
    assert sum(bool(curve.showlegend) for curve in chart.data) == (len(LAYERS) if managed else 1)


@pytest.mark.parametrize("window", WINDOWS)
def test_in_every_window_of_the_page_the_script_tells_the_same(window):
    managed, unmanaged = played(window=window), played(managed=False, window=window)
    assert (managed[-1].ended, unmanaged[-1].ended) == ("answered", "window-overflow")


def test_the_bench_prints_the_numbers_of_the_page():
    table = agent_table(comparison())
    for figures in ("3,504", "8,900", "0 of 9, 0%", "1 of 6, 17%", "yes, 10 steps", "no: window-overflow in step 7"):
        assert figures in table


# --- the page


def opened() -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    return at.switch_page(PAGE).run()


def texts(at: AppTest) -> str:
    return "\n".join(
        each.value for kind in ("markdown", "text", "caption", "warning", "error") for each in at.get(kind)
    )


def test_without_a_model_the_page_says_how_to_get_one_and_offers_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ui.settings.models._found", lambda: None)
    at = opened()
    assert "make model" in texts(at)
    assert not [each for each in at.segmented_control if each.key == "agent.who"]
    assert "no: over the window" in texts(at)


def test_a_step_that_was_not_sent_says_why():
    at = opened()
    at.segmented_control(key="agent.which").set_value("unmanaged").run()
    at.segmented_control(key="agent.step.unmanaged").set_value(7).run()
    assert "would have sent 8,900 tokens" in at.warning[0].value
    at.select_slider(key="agent.window").set_value(4_000).run()
    assert "would have sent 4,686 tokens" in at.warning[0].value
    assert at.segmented_control(key="agent.step.unmanaged").value == 4


# --- a model


def test_a_small_model_is_held_to_short_fields_and_to_some_calls_before_its_answer():
    sent: list[dict[str, Any]] = []

    class Listening(Endpoint):
        def reply(self, messages: Any, *, schema: Any = None, **how: Any) -> Reply:
            sent.append(schema)
            return Reply("")

    small, schema = Small(Listening("m", "http://127.0.0.1:9")), reply_schema(script().tools)
    before = json.dumps(schema)
    for _ in range(FIRST_ANSWER):
        small.reply([], schema=schema)
    offered = ["finish" in one["properties"]["action"]["enum"] for one in sent]
    assert offered == [False] * (FIRST_ANSWER - 1) + [True]
    assert {name: about.get("maxLength") for name, about in sent[0]["properties"].items()} == {**ROOM, "action": None}
    assert json.dumps(schema) == before


def says(action: str, given: str) -> Any:
    said = {"thought": "Next.", "sub_task": "", "action": action, "action_input": given}
    choice = {"index": 0, "message": {"content": json.dumps(said)}, "finish_reason": "stop"}
    return answer({"choices": [choice], "usage": {"prompt_tokens": 700, "completion_tokens": 30}})


def given_to(server: Server) -> AppTest:
    """The page, with the model typed in and the task given to it."""
    at = opened()
    at.session_state["_endpoint"] = {"base_url": server.address, "key": KEY, "model": "m-1"}
    at.run()
    at.segmented_control(key="agent.who").set_value("model").run()
    assert "No run yet" in at.info[0].value
    return at.button(key="agent.run").click().run()


def until_done(at: AppTest, seconds: float = 20) -> AppTest:
    deadline = time.monotonic() + seconds
    while any(each.key == "agent.stop" for each in at.button) and time.monotonic() < deadline:
        time.sleep(0.05)
        at.run()
    assert not at.exception
    return at


def act_by_path(*acts: Any) -> Any:
    """The server's acts for replies; its template and tokenizer it does not show."""
    left = list(acts)

    def act(request: Any) -> None:
        if not request.path.endswith("/chat/completions"):
            return fails(404, "no such route")(request)
        return (left.pop(0) if len(left) > 1 else left[0])(request)

    return act


def test_the_models_steps_are_shown_with_their_bill(server):
    calls = [says("search", "Kestrel price"), says("search", "Kestrel price"), says("calculator", "2 + 3")]
    server.acts = [act_by_path(*calls, says("finish", "Take Kestrel."))]
    at = until_done(given_to(server))
    shown = texts(at)
    assert "Take Kestrel." in shown
    assert "700 tokens billed" in shown
    assert "| 33 % | – |" in shown
    assert at.segmented_control(key="agent.step.managed").options == ["1", "2", "3", "4"]
    assert server.keys[0] == f"Bearer {KEY}"
    assert [body["stream"] for body in server.bodies if "stream" in body] == [True] * 4
    assert KEY not in shown


def test_a_refused_key_is_told_calmly_and_not_shown(server):
    server.acts = [act_by_path(fails(401, f"Incorrect API key provided: {KEY}"))]
    shown = texts(until_done(given_to(server)))
    assert "Check the key" in shown
    assert "no: the model failed" in shown
    assert KEY not in shown


def test_a_run_is_stopped_while_the_model_thinks(server):
    server.acts = [act_by_path(says("search", "Kestrel price"), silent(30))]
    at = given_to(server)
    deadline = time.monotonic() + 20
    while (
        not [each for each in at.segmented_control if each.key == "agent.step.managed"] and time.monotonic() < deadline
    ):
        time.sleep(0.05)
        at.run()
    at.button(key="agent.stop").click().run()
    assert "no: stopped" in texts(until_done(at))


def test_without_management_the_models_run_stands_beside_the_other_one(server):
    server.acts = [act_by_path(*(says("search", f"Kestrel {at}") for at in range(2 * STEPS)))]
    at = until_done(given_to(server))
    at.toggle(key="agent.run_managed").set_value(False).run()
    at = until_done(at.button(key="agent.run").click().run())
    assert at.segmented_control(key="agent.which").value == "unmanaged"
    assert "no: over the window" in texts(at)
    assert "no: out of steps" in texts(at)


def test_summaries_are_paid_for_with_the_key_of_who_asks(server):
    """Two visitors name the same endpoint; a service kept for both would send the key of the first."""
    server.acts = [act_by_path(says("search", "x"))]
    for key, window in (("sk-first", "1200"), ("sk-second", "1100")):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params.update(scenario="coding-agent", system="gssc", window=window)
        at.session_state["_endpoint"] = {"base_url": server.address, "key": key, "model": "m-1"}
        at.run()
        at.toggle(key="summary.wanted").set_value(True).run()
        assert f"Bearer {key}" not in server.keys
        at.button(key="summary.call").click().run()
        deadline = time.monotonic() + 10
        while f"Bearer {key}" not in server.keys and time.monotonic() < deadline:
            time.sleep(0.05)
        assert f"Bearer {key}" in server.keys
        assert not at.exception
