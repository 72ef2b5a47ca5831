"""The page Tune: its picture is the core's, applying sets the workspace, the best split keeps the marked facts."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import Any

import pytest

from ctxcore import build
from ctxcore.cli.options import parser
from ctxcore.cli.reading import settings_of
from ctxcore.tuning.monitoring import to_csv
from ctxcore.tuning.objective import Objective, Score
from ctxcore.tuning.splitting import best_split
from ctxcore.tuning.survival import survival
from tests.pages.test_pages import opened, said
from ui.components.survival_chart import near
from ui.sources import shipped
from ui.tune.presets import budget_of, flags, python
from ui.tune.split import figure
from ui.words import words
from ui.workspace.baseline import shift
from ui.workspace.workspace import Workspace

PAGE = "pages/debug/tune.py"


def workspace(at: Any) -> Workspace:
    return Workspace.from_plain(at.session_state["_settings"])


def section(name: str, **query: str) -> Any:
    at = opened(PAGE, **query)
    at.session_state["tune.section"] = name
    return at.run()


def test_applying_a_budget_of_the_picture_sets_the_window() -> None:
    at = opened(PAGE, scenario="support-chat")
    at.session_state["survival"] = {"picked": "@5017"}
    at.run()
    assert said(at) == []


def test_the_best_split_is_applied_and_can_be_undone() -> None:
    at = section("split", scenario="chinese-service")
    assert said(at) == []
    before = workspace(at).limits
    at.button(key="tune.apply").click().run()
    limits = workspace(at).limits
    assert limits != before
    assert build(shipped.shipped("chinese-service"), window=workspace(at).window, limits=limits).fits
    assert not any(button.key == "tune.apply" for button in at.button)
    assert at.toast[-1].value == words("en")["tune.applied"]
    assert any(words("en")["tune.is_applied"] in each.value for each in at.caption)
    at.button(key="frame.undo").click().run()
    assert workspace(at).limits == before


def test_a_split_that_is_no_better_is_not_offered() -> None:
    at = section("split", scenario="support-chat", window="8000")
    assert said(at) == []
    assert not any(button.key == "tune.apply" for button in at.button)
    assert words("en")["tune.no_better"] in [each.value for each in at.info]


@pytest.mark.parametrize(
    ("more", "beats"),
    [
        ({"total": 0.6}, True),
        ({"total": 0.5004}, False),
        ({"total": 0.6, "coverage": 0.4}, False),
        ({"total": 0.6, "lost": ("cap", "rim")}, False),
        ({"total": 0.6, "lost": ()}, True),
    ],
)
def test_a_better_score_is_better_in_all_that_is_shown(more: dict[str, Any], beats: bool) -> None:
    now = Score(0.5, 0.5, 0.0, 0.5, ("cap",))
    assert replace(now, **more).beats(now) is beats


def test_what_is_marked_as_built_is_what_the_cards_say() -> None:
    trace = build(shipped.shipped("chinese-service"), window=4_000)
    split = best_split(trace, Objective())
    chart = figure(split, ((3_000, 0.25), (2_000, 0.5)))
    marked = {each.name: (each.x, each.y) for each in chart.data if each.mode == "markers"}
    assert marked[words("en")["tune.best"]] == ((split.best.tokens,), (split.best.total,))
    assert marked[words("en")["tune.built"]] == ((3_000, 2_000), (0.25, 0.5))
    assert all(not each.text for each in chart.data)  # no name is printed over another one


def test_what_is_left_open_is_said_and_settled_by_a_click() -> None:
    at = opened(PAGE, scenario="support-chat")
    at.button(key="tune.prove").click().run()
    assert said(at) == []
    assert not any(button.key == "tune.prove" for button in at.button)


def test_the_first_view_reaches_past_the_present() -> None:
    scenario = shipped.shipped("support-chat")
    found = survival(scenario, build(scenario, window=4_000).settings, "window", tries=0)
    assert found.now < near(found) <= found.stop
    assert json.dumps(found.to_json())


@pytest.mark.parametrize("window", ["4000", "8000"])
def test_the_text_says_how_far_the_picture_reaches(window: str) -> None:
    at = opened(PAGE, scenario="support-chat", window=window)
    shown = int(window) * 3
    told = next(each.value for each in at.caption if "breakpoints" in each.value)
    scenario = shipped.shipped("support-chat")
    found = survival(scenario, build(scenario, window=int(window)).settings, "window", tries=0, within=shown)
    assert f"{found.stop:,} tokens" in told
    assert (f"0 to {near(found):,};" in told) is (near(found) < found.stop)


def test_against_a_baseline_the_headline_says_what_changed_and_it_survives_a_reload() -> None:
    at = opened("pages/debug/playground.py", scenario="support-chat")
    at.button(key="baseline.set").click().run()
    assert said(at) == []
    at.button(key="quick.8000").click().run()
    before, after = (build(shipped.shipped("support-chat"), window=window) for window in (4_000, 8_000))
    told = shift(before, after)
    shown = " ".join(each.value for each in at.markdown)
    assert f"{told.tokens:+,}" in shown
    assert told.gained
    kept = workspace(at).baseline
    assert kept["window"] == 4_000
    assert "messages" not in json.dumps(kept)
    again = opened("pages/debug/playground.py")  # the last workspace of its owner
    assert workspace(again).baseline == kept
    assert f"{told.tokens:+,}" in " ".join(each.value for each in again.markdown)
    again.button(key="baseline.clear").click().run()
    assert not workspace(again).baseline


def test_an_item_says_what_became_of_it_in_the_baseline() -> None:
    at = opened("pages/debug/playground.py", scenario="support-chat", stage="select")
    at.button(key="baseline.set").click().run()
    at.button(key="quick.8000").click().run()
    assert said(at) == []
    at.session_state["treemap.colour"] = "change"
    at.query_params["view"] = "treemap"
    assert said(at.run()) == []


def test_a_preset_is_kept_applied_and_taken_home() -> None:
    at = section("presets", scenario="support-chat")
    at.text_input(key="presets.name").set_value("small window").run()
    at.button(key="presets.save").click().run()
    assert said(at) == []
    at.button(key="quick.32000").click().run()
    at.button(key="preset.apply.small window").click().run()
    assert workspace(at).window == 4_000
    at.button(key="preset.delete.small window").click().run()
    assert not any(button.key == "preset.apply.small window" for button in at.button)


def test_a_preset_says_the_same_as_flags_and_as_python() -> None:
    now = Workspace(window=6_000, limits={"docs": "25%"}, system="gssc")
    budget = budget_of(now)
    file = "ctxcore/scenarios/support-chat.json"
    args = parser().parse_args(["run", file, *shlex.split(flags(budget))])
    scope: dict[str, Any] = {}
    exec(python(budget).replace("chat.json", file), scope)
    by_flags = build(shipped.shipped("support-chat"), **settings_of(args))
    assert scope["trace"].totals == by_flags.totals
    assert scope["trace"].budget == by_flags.budget


def test_many_scenarios_have_a_row_each_and_a_best_split() -> None:
    at = section("many", scenario="support-chat")
    at.multiselect(key="many.pick").set_value(["support-chat", "context-assistant"]).run()
    assert len(at.dataframe[0].value) == 2
    at.button(key="many.best").click().run()
    assert said(at) == []
    assert len(at.dataframe[1].value) == 3


def test_every_build_is_monitored_in_numbers_alone() -> None:
    at = opened("pages/debug/playground.py", scenario="support-chat")
    at.button(key="quick.8000").click().run()
    at.button(key="quick.32000").click().run()
    readings = list(at.session_state["_readings"])[-3:]  # what this browser built before may stand there too
    assert [one.window for one in readings] == [4_000, 8_000, 32_000]
    assert readings[0].ratio < readings[2].ratio
    told = to_csv(readings)
    assert "cashew" not in told
    assert told.splitlines()[0].startswith("at,scenario,system")
    assert len(told.splitlines()) == 4
    again = opened("pages/debug/playground.py", scenario="support-chat", window="32000")  # after a reload
    assert [one.window for one in again.session_state["_readings"]][-3:] == [4_000, 8_000, 32_000]


def test_the_builds_of_two_tabs_are_both_kept() -> None:
    one, two = (opened("pages/debug/playground.py", scenario="support-chat") for _ in range(2))
    for tab, tokens in ((one, 8_000), (two, 128_000), (one, 32_000)):
        tab.button(key=f"quick.{tokens}").click().run()
    later = opened("pages/debug/playground.py", scenario="support-chat", window="32000")
    assert {8_000, 32_000, 128_000} <= {reading.window for reading in later.session_state["_readings"]}
