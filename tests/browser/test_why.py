"""Why in a real browser: a text is selected, its story read, a remedy applied, and undone again."""

from __future__ import annotations

import re

START = "/?scenario=support-chat&system=gssc&window=4000"


def select_text(visitor, text: str) -> None:
    """Drags over a text of the prompt, as a reader does. What was selected before would be dragged along."""
    visitor.page.evaluate("getSelection().removeAllRanges()")
    place = visitor.thing("view_prompt").get_by_text(text, exact=False).first
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    y = box["y"] + min(12, box["height"] / 2)
    visitor.page.mouse.move(box["x"] + 10, y)
    visitor.page.mouse.down()
    visitor.page.mouse.move(box["x"] + 190, y, steps=4)
    visitor.page.mouse.up()


def test_select_why_apply_undo(visitor):
    visitor.open(START + "&stage=gather&view=prompt")
    ask = visitor.thing("view_prompt").get_by_role("button", name="Why?")
    visitor.until(lambda: select_text(visitor, "after 17:30"), ask)
    ask.click()
    visitor.settle()
    assert "/why" in visitor.page.url
    assert "does not reach" in visitor.thing("why_verdict").inner_text()
    card = visitor.thing("why_cure_0")
    card.wait_for()
    assert "Limit history" in card.inner_text()
    card.get_by_role("button", name="Do it").click()
    visitor.settle()
    assert "reaches the model" in visitor.thing("why_verdict").inner_text()
    visitor.reload()
    assert "reaches the model" in visitor.thing("why_verdict").inner_text()
    visitor.thing("frame_history").get_by_role("button").first.click()
    visitor.page.get_by_text("history: – → ").first.wait_for()
    visitor.page.keyboard.press("Escape")
    visitor.page.keyboard.press("Control+z")
    visitor.settle()
    assert "does not reach" in visitor.thing("why_verdict").inner_text()
    visitor.page.keyboard.press("Control+Shift+z")
    visitor.settle()
    assert "reaches the model" in visitor.thing("why_verdict").inner_text()


def test_the_keys_of_a_text_field_stay_its_own(visitor):
    visitor.open(START)
    visitor.thing("budget_quick").get_by_role("button", name="8k", exact=True).click()
    visitor.settle()
    field = visitor.thing("items_find").get_by_role("textbox")
    field.click()
    visitor.page.keyboard.type("cashew")
    visitor.settle()
    visitor.page.keyboard.press("Control+z")
    visitor.settle()
    assert "window=8000" in visitor.page.url


def test_a_mute_shows_what_it_does_and_is_a_stage_of_its_own(visitor):
    visitor.open(START + "&stage=select")
    visitor.thing("items_find").get_by_role("textbox").fill("turn-0078")
    visitor.settle()
    visitor.thing("view_items").get_by_text("turn-0078").first.click()
    visitor.settle()
    row = visitor.thing("item_mute")
    assert "turn-0078" in row.inner_text()
    row.get_by_role("button", name="Mute").click()
    visitor.settle()
    assert visitor.thing("stage_pick").get_by_role("option", name=re.compile("^muted by you")).count() == 1
    assert "Muted by you" in visitor.thing("item_story").inner_text()
