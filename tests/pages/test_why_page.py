"""The page Why, the marks of an item and the history, through the app."""

from __future__ import annotations

from tests.pages.test_pages import opened, said
from ui.workspace import history
from ui.workspace.history_names import name_of
from ui.workspace.workspace import Workspace

WHY, PLAYGROUND = "pages/debug/why.py", "pages/debug/playground.py"
FACT = "after 17:30"


def asked(text: str, **query: str):
    return opened(WHY, scenario="support-chat", system="gssc", window="4000", find=text, **query)


def settings(at) -> dict:
    return at.session_state["_settings"]


def headings(at) -> str:
    return "\n".join(each.value for each in at.markdown)


def test_a_link_asks_after_a_text_and_a_remedy_is_one_click():
    at = opened(WHY, scenario="support-chat", system="layered", window="4000", find=FACT)
    before = settings(at)
    assert "It reaches the model" not in headings(at)
    next(each for each in at.button if str(each.key).startswith("why.apply.0.")).click().run()
    assert "It reaches the model" in headings(at)
    at.button(key="frame.undo").click().run()
    assert settings(at) == before
    assert said(at) == []


def test_an_item_is_asked_after_by_its_id_and_can_be_muted():
    at = asked("turn-0078")
    at.button(key="item.mute").click().run()
    assert settings(at)["mutes"] == ["turn-0078"]
    at.button(key="item.mute").click().run()
    assert settings(at)["mutes"] == []
    assert [step["name"][0] for step in at.session_state["_tab"]["history"]["steps"]] == ["mutes.on", "mutes.off"]


def test_a_must_keep_text_is_added_and_lights_say_where_it_went():
    at = asked("")
    before = len([each for each in at.button if str(each.key).startswith("facts.see")])
    at.text_input(key="facts.text").set_value("hamper")
    at.button(key="FormSubmitter:facts.new-Add").click().run()
    assert len([each for each in at.button if str(each.key).startswith("facts.see")]) == before + 1
    assert at.session_state["_tab"]["history"]["steps"][-1]["name"][0] == "facts"
    assert said(at) == []


def test_the_history_survives_a_new_tab_and_one_can_jump():
    at = opened(PLAYGROUND, scenario="support-chat", window="4000")
    for size in ("8000", "32000", "128000"):
        at.button(key=f"quick.{size}").click().run()
    again = opened(PLAYGROUND)
    assert len(again.session_state["_tab"]["history"]["steps"]) == 3
    again.session_state["frame.history"] = True  # the panel is open: its steps are drawn only then
    again.run().button(key="history.1").click().run()
    assert settings(again)["window"] == 8_000
    again.button(key="frame.redo").click().run()
    assert settings(again)["window"] == 32_000
    again.button(key="history.0").click().run()
    assert settings(again)["window"] == 4_000
    assert said(again) == []


def test_what_a_step_is_called():
    plain = Workspace().to_plain()

    def named(**after) -> str:
        return name_of({name: plain[name] for name in after}, after)[0]

    assert named(window=9_000) == "window"
    assert named(limits={"docs": "25%"}) == "one"
    assert named(pins=["turn-0001"]) == "pins.on"
    assert named(scenario="x", window=1) == "scenario"
    assert named(edits=[{"stage": "select", "item": "turn-0001", "text": "ab"}]) == "edit.on"


def test_a_jump_is_as_good_as_single_steps():
    done = history.empty()
    for at in range(5):
        done = history.with_step(done, ("window", {}), {"window": at}, {"window": at + 1})
    assert history.changes_to(done, 2) == {"window": 2}
    back = history.moved(done, 2)
    assert history.changes_to(back, 5) == {"window": 5}
    assert history.with_step(back, ("window", {}), {"window": 2}, {"window": 9})["at"] == 3
    assert history.read({"steps": [1], "at": 0}) == history.read(None) == history.empty()
