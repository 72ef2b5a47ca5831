"""The pipeline editor: order, switches, conditions, options, names, and what a failing stage shows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import pytest
from streamlit.testing.v1 import AppTest

from ctxcore.stages import STAGES
from tests.pages.test_pages import opened, said
from ui.stages.editor import moved

PAGE = "pages/debug/pipeline.py"


def edited(**query: str) -> AppTest:
    return opened(PAGE, **{"scenario": "support-chat", "system": "gssc", "window": "4000", **query})


def kept(at: AppTest) -> dict:
    return at.session_state["_settings"]


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def find(many, part: str):
    return next(each for each in many if part in each.key)


@pytest.mark.parametrize(
    ("name", "by", "after"), [("b", -1, "bac"), ("b", 1, "acb"), ("a", -1, "abc"), ("c", 5, "abc"), ("a", 2, "bca")]
)
def test_a_stage_moves_by_its_place(name, by, after):
    assert "".join(moved(tuple("abc"), name, by)) == after


def test_stages_are_reordered_removed_and_added_and_the_change_list_says_so():
    at = edited()
    press(at, "pipeline.down.select")
    assert kept(at)["stages"] == ["gather", "summarize", "select", "construct"]
    table = at.dataframe[0].value
    assert table.values.tolist()[0][0] == "stages"
    press(at, "pipeline.up.select")
    assert kept(at)["stages"] == []
    press(at, "pipeline.remove.summarize")
    find(at.selectbox, "stages.add").set_value("guardrail").run()
    assert kept(at)["stages"] == ["gather", "select", "construct", "guardrail"]
    at.button(key="frame.undo").click().run()
    assert kept(at)["stages"] == ["gather", "select", "construct"]
    assert said(at) == []


def test_any_stage_is_switched_off_and_on_again():
    at = edited()
    find(at.toggle, "options.select.on").set_value(False).run()
    assert kept(at)["options"] == {"select.when": "never"}
    assert any("switched off" in each.value for each in at.caption)
    find(at.toggle, "options.select.on").set_value(True).run()
    assert kept(at)["options"] == {}
    at = edited(system="compiler")
    find(at.toggle, "options.guardrail.on").set_value(True).run()
    assert kept(at)["options"] == {"guardrail.enabled": True}
    assert said(at) == []


def test_a_condition_is_checked_before_it_is_taken():
    at = edited()
    find(at.text_input, "options.select.when").set_value("tokens > 4_000").run()
    assert kept(at)["options"] == {"select.when": "tokens > 4_000"}
    find(at.text_input, "options.select.when").set_value("as soon as I like").run()
    assert any("Condition" in each.value for each in at.error)
    assert kept(at)["options"] == {"select.when": "tokens > 4_000"}


def test_a_pipeline_is_kept_under_a_name_and_opens_on_another_scenario():
    at = edited()
    press(at, "pipeline.down.select")
    at.text_input(key="pipeline.name").set_value("mine").run()
    press(at, "pipeline.save")
    other = edited(scenario="coding-agent", system="compiler")
    find(other.selectbox, "stages.kept").set_value("mine").run()
    assert (kept(other)["scenario"], kept(other)["system"]) == ("coding-agent", "gssc")
    assert kept(other)["stages"] == ["gather", "summarize", "select", "construct"]
    assert said(other) == []


def test_a_pasted_pipeline_opens_and_one_that_is_none_is_told():
    at = edited()
    given = {"schema": "ctxcore.pipeline/1", "name": "x", "system": "raw", "variant": "repaired", "stages": ["gather"]}
    at.text_area(key="pipeline.paste").set_value(json.dumps(given)).run()
    press(at, "pipeline.open")
    assert (kept(at)["system"], kept(at)["stages"]) == ("raw", ["gather"])
    at.text_area(key="pipeline.paste").set_value(json.dumps({**given, "stages": ["nope"]})).run()
    press(at, "pipeline.open")
    assert any("nope" in each.value for each in at.error)
    assert said(at) == []


@dataclass(frozen=True)
class Breaking:
    """Raises."""

    name: ClassVar[str] = "breaking"

    def apply(self, payload, services):
        return payload.items[0].nothing


def test_a_stage_that_raises_is_shown_with_file_and_line_and_the_rest_is_not_run(monkeypatch):
    monkeypatch.setitem(STAGES, "breaking", Breaking)
    at = edited()
    find(at.selectbox, "stages.add").set_value("breaking").run()
    for _ in range(2):
        press(at, "pipeline.up.breaking")
    shown = "\n".join(each.value for each in at.markdown).replace("\\", "")
    assert "AttributeError" in shown
    assert "test_pipeline.py line" in shown
    told = [each.value for each in at.caption]
    assert sum("Not run" in each for each in told) == 2
    assert any("→" in each for each in told)
    at.switch_page("pages/debug/playground.py").run()
    assert said(at) == []


def test_the_history_names_what_was_done_to_the_stages():
    at = edited()
    press(at, "pipeline.remove.summarize")
    step = at.session_state["_tab"]["history"]["steps"][-1]["name"]
    assert step == ["stages", {"names": "gather, select, construct"}]
