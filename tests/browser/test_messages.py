"""The payload in each shape and its bill, and a file of several conversations, in a real browser."""

from __future__ import annotations

import json
import re

from tests.browser.visit import Visitor, visiting

VIEW = "/?scenario=support-chat&system=gssc&window=8000&view=messages&stage=construct"
SHAPES = {
    "OpenAI chat": '"messages": [',
    "Responses": '"instructions":',
    "Anthropic": '"max_tokens":',
    "Gemini": '"contents": [',
    "Scenario": '"schema": "ctxcore.scenario/1"',
    "Python": "from ctxcore import",
}


def pick_shape(visitor: Visitor, name: str) -> str:
    """The text that is then shown."""
    visitor.thing("messages_shape").get_by_role("radio", name=name, exact=True).click()
    visitor.settle()
    return visitor.thing("view_messages").get_by_test_id("stCode").inner_text()


def test_the_payload_is_shown_in_each_shape_and_the_bill_says_which_one_it_is_of(visitor):
    visitor.open(VIEW)
    for name, sign in SHAPES.items():
        assert sign in pick_shape(visitor, name)
        visitor.check_sound()
    assert "as an OpenAI chat request" in visitor.thing("messages_bill").inner_text()
    visitor.thing("messages_bill").locator("summary").click()
    visitor.settle()
    assert "o200k_base" in visitor.thing("messages_bill").inner_text()
    visitor.reload()  # the shape is remembered
    assert SHAPES["Python"] in visitor.thing("view_messages").get_by_test_id("stCode").inner_text()


def test_a_file_of_several_conversations_asks_which_and_opens_that_one(browser, address):
    talks = ({"messages": [{"role": "user", "content": f"Question {at}?"}]} for at in range(1, 4))
    with visiting(browser, address, color_scheme="dark", viewport={"width": 390, "height": 844}) as visitor:
        visitor.open("/sources?scenario=support-chat")
        visitor.thing("sources_section").get_by_role("radio", name=re.compile("Open a file")).click()
        visitor.settle()
        visitor.thing("sources_paste").get_by_role("textbox").fill("\n".join(map(json.dumps, talks)))
        visitor.thing("sources_paste").get_by_role("textbox").blur()
        visitor.settle()
        visitor.click("sources_open")
        visitor.thing("sources_which").scroll_into_view_if_needed()
        visitor.thing("sources_which").get_by_role("combobox").click()
        visitor.page.get_by_role("option", name=re.compile("Question 2")).click()
        visitor.settle()
        assert "1 message" in visitor.thing("sources_opened").inner_text()
        visitor.open("/sources")
        assert visitor.thing("sources_user_message").get_by_role("textbox").input_value() == "Question 2?"
        visitor.check_sound()
