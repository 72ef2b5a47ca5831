"""The Playground in a real browser: stages, views, a limit, an item, a step, an edit; also after a refresh."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.visit import Visitor

START = "/?scenario=support-chat&system=gssc&window=4000"
STAGES = ("gather", "select", "summarize", "construct")
VIEWS = ("Items", "Prompt", "Messages", "Treemap", "Layout", "Diff")


def picked_stage(visitor: Visitor) -> str:
    return re.search(r"[?&]stage=([\w-]+)", visitor.page.url)[1]


def pick_stage(visitor: Visitor, name: str) -> None:
    visitor.thing("stage_pick").get_by_role("option", name=re.compile(f"^{name}")).click()
    visitor.settle()


def pick_view(visitor: Visitor, name: str) -> None:
    visitor.thing("view_pick").get_by_role("radio", name=name).click()
    visitor.settle()


def tokens(visitor: Visitor) -> str:
    return visitor.thing("headline").inner_text()


def test_every_stage_and_every_view_can_be_picked(visitor):
    visitor.open(START)
    for stage in STAGES:
        pick_stage(visitor, stage)
        assert picked_stage(visitor) == stage
    for view in VIEWS:
        pick_view(visitor, view)
        assert visitor.thing(f"view_{view.lower()}").count() == 1
        visitor.check_sound()


def test_the_window_and_a_limit_change_what_is_kept(visitor):
    visitor.open(START)
    before = tokens(visitor)
    visitor.thing("budget_quick").get_by_role("button", name="8k", exact=True).click()
    visitor.settle()
    assert tokens(visitor) != before
    wider = tokens(visitor)
    slider = visitor.thing("budget_tools").get_by_role("slider")
    slider.focus()
    slider.press("Home")
    visitor.settle()
    assert tokens(visitor) != wider
    used = visitor.thing("budget_tools").inner_text()
    visitor.reload()
    assert visitor.thing("budget_tools").inner_text() == used


def test_a_click_on_a_tile_opens_the_item_and_its_story(visitor):
    visitor.open(START + "&view=treemap&stage=construct")
    canvas = visitor.thing("view_treemap").locator("canvas.top")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] * 0.1, "y": box["height"] * 0.5})
    visitor.settle()
    story = visitor.thing("item_story").inner_text()
    assert "gather" in story
    assert "select" in story
    visitor.check_sound()


def test_steps_leave_later_stages_blank_and_the_arrow_keys_walk(visitor):
    visitor.open(START)
    visitor.click("stage_again")
    assert picked_stage(visitor) == "gather"
    blank = visitor.thing("stage_pick").get_by_role("option", name=re.compile("not run"))
    assert blank.count() == 3
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    assert picked_stage(visitor) == "select"
    assert blank.count() == 2
    visitor.page.keyboard.press("ArrowLeft")
    visitor.settle()
    assert picked_stage(visitor) == "gather"
    visitor.click("stage_all")
    assert blank.count() == 0


def test_an_edit_at_a_stage_flows_on_and_survives_a_refresh(visitor):
    visitor.open(START + "&stage=select")
    visitor.thing("items_find").get_by_role("textbox").fill("turn-0079")
    visitor.settle()
    visitor.thing("view_items").get_by_text("turn-0079").first.click()
    visitor.settle()
    visitor.type_into("item_text", "Please remember the cashew allergy.")
    for _ in range(2):
        pick_stage(visitor, "construct")
        pick_view(visitor, "Prompt")
        assert visitor.thing("view_prompt").get_by_text("Please remember the cashew allergy.").count() == 1
        visitor.reload()
    pick_view(visitor, "Items")
    assert visitor.thing("stage_pick").get_by_role("option").count() == 5


def test_pinning_brings_a_lost_item_into_the_payload(visitor):
    visitor.open(START + "&stage=select")
    visitor.thing("items_find").get_by_role("textbox").fill("turn-0004")
    visitor.settle()
    visitor.thing("view_items").get_by_text("turn-0004").first.click()
    visitor.settle()
    assert "did not reach" in visitor.thing("item_story").inner_text()
    visitor.click("item_pin")
    assert "in the payload" in visitor.thing("item_story").inner_text()


@pytest.mark.parametrize("system", ["compiler", "raw"])
def test_the_other_systems_open_by_link(visitor, system):
    visitor.open(f"/?scenario=coding-agent&system={system}&window=8000")
    visitor.check_sound()
    assert visitor.thing("view_items").count() == 1


def test_the_talk_walks_through_five_screens(visitor):
    visitor.open("/present")
    titles = []
    for _ in range(5):
        titles.append(visitor.page.get_by_role("heading", level=1).first.inner_text())
        visitor.check_sound()
        visitor.page.keyboard.press("ArrowRight")
        visitor.settle()
    assert len(set(titles)) == 5


def test_a_stage_is_shown_as_motion_and_the_link_to_its_screen_stays(visitor):
    visitor.open("/present?talk=article-gssc&screen=2")
    blocks = visitor.page.locator(".flow .block")
    expect(visitor.page.locator(".flow .told")).to_have_text("As the stage left it")
    gone = visitor.page.locator(".flow .block.gone")
    assert blocks.count() == 87
    assert gone.count() == 50
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.get_by_role("heading", name="summarize").wait_for()
    assert "screen=3" in visitor.page.url
    visitor.reload()
    visitor.page.get_by_role("heading", name="summarize").wait_for()
