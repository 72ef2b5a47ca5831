"""The page Tune: its picture is the core's, applying sets the workspace, the best split keeps the marked facts."""

from __future__ import annotations

import json
from typing import Any

from ctxcore import build
from ctxcore.tuning.survival import survival
from tests.pages.test_pages import opened, said
from ui import shipped
from ui.components.survival_chart import _near
from ui.workspace import Workspace

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
    at.button(key="frame.undo").click().run()
    assert workspace(at).limits == before


def test_what_is_left_open_is_said_and_settled_by_a_click() -> None:
    at = opened(PAGE, scenario="support-chat")
    at.button(key="tune.prove").click().run()
    assert said(at) == []
    assert not any(button.key == "tune.prove" for button in at.button)


def test_the_first_view_reaches_past_the_present() -> None:
    scenario = shipped.shipped("support-chat")
    found = survival(scenario, build(scenario, window=4_000).settings, "window", tries=0)
    assert found.now < _near(found) <= found.stop
    assert json.dumps(found.to_json())
