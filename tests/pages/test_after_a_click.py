"""What a page says right after a click agrees with what the click did."""

from __future__ import annotations

import json

from ctxcore.build import stages_for
from ctxcore.systems import system_called
from ctxcore.words import of_stages
from tests.pages.test_pages import opened, pasted, said
from ui.runs import settings_of
from ui.words import words
from ui.workspace.workspace import Workspace

CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
UNANSWERED = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": None, "tool_calls": [CALL]}]


def test_what_repair_has_mended_is_red_no_more_and_the_last_stage_stays_in_view():
    at = (
        pasted(json.dumps([*UNANSWERED, {"role": "user", "content": "And?"}]))
        .switch_page("pages/debug/playground.py")
        .run()
    )
    next(each for each in at.segmented_control if "view" in each.key).set_value("findings").run()
    red = [each.value for each in at.markdown if ":material/block:" in each.value]
    assert len(red) >= 1
    at.button(key="finding.repair").click().run()
    assert said(at) == []
    assert [each.value for each in at.markdown if ":material/block:" in each.value] == []
    assert any(words("en")["finding.mended"] in each.value for each in at.markdown)
    assert at.session_state["_settings"]["stage"] == "construct"


def test_repair_put_on_and_taken_off_leaves_the_pipeline_as_it_was():
    """Also where a stage that nobody placed runs too: the guardrail that an option switches on."""
    at = pasted(json.dumps([*UNANSWERED, {"role": "user", "content": "And?"}]))
    kept = at.session_state["_settings"]
    at.session_state["_settings"] = {**kept, "options": {"guardrail.enabled": "on"}, "view": "findings"}
    at.switch_page("pages/debug/playground.py").run()
    assert at.session_state["_settings"]["stages"] == []
    at.button(key="finding.repair").click().run()
    assert at.session_state["_settings"]["stages"] == ["gather", "repair", "select", "summarize", "construct"]
    now = settings_of(Workspace.from_plain(at.session_state["_settings"]))
    names = [stage.name for stage in stages_for(now, system_called(now.system))]
    assert names == ["gather", "guardrail", "repair", "select", "summarize", "construct"]
    at.button(key="finding.repair").click().run()
    assert at.session_state["_settings"]["stages"] == []


def test_what_was_open_before_is_not_said_beside_an_error():
    at = pasted('[{"role": "user", "content": "Hi."}]')
    assert [each.value for each in at.success] == ["pasted is open: 1 message"]
    at.text_area(key="sources.paste").set_value('{"a": 1}')
    at.button(key="sources.open").click().run()
    assert len(at.error) == 1
    assert not at.success
    at.text_area(key="sources.paste").set_value("").run()
    assert len(at.success) == 1


def test_another_language_takes_the_labels_of_pickers_along():
    at = opened("pages/debug/playground.py", scenario="support-chat")

    def variant():
        return next(each for each in at.selectbox if "variant" in each.key)

    assert words("en")["variant.repaired"] in variant().options
    before = variant().key
    next(each for each in at.segmented_control if "language" in each.key).set_value("zh").run()
    assert words("zh")["variant.repaired"] in variant().options
    assert variant().key != before  # the browser shows the old label as long as the key is the same
    at.switch_page("pages/debug/pipeline.py").run()
    assert of_stages()["select"]["zh"] in [each.value for each in at.caption]


def test_the_guardrail_says_what_it_finds_and_what_it_does_not():
    at = opened("pages/debug/playground.py", scenario="support-chat")
    assert words("en")["guard.scope"] not in [each.value for each in at.caption]
    next(each for each in at.toggle if "guardrail.enabled" in each.key).set_value(True).run()
    assert words("en")["guard.scope"] in [each.value for each in at.caption]


def test_more_than_a_session_can_hold_is_refused_with_the_limit(monkeypatch):
    monkeypatch.setattr("ui.sources.taking_in.MOST", 3)
    at = pasted(json.dumps([{"role": "user", "content": "x"}] * 4))
    assert [each.value for each in at.error] == [
        "It holds 4 messages and records; 3 can be opened at once. Open a part of it, or use the command line."
    ]
    assert not at.success
