"""The frame of the app in a real browser: what is edited stays, links open, nothing leaves the machine."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest

from tests.browser.server import free_port, running, start, stop
from tests.browser.visit import Visitor, visiting

QUESTION = "sources_user_message"


def question(visitor: Visitor) -> str:
    return visitor.thing(QUESTION).get_by_role("textbox").input_value()


def section(visitor: Visitor, name: str) -> None:
    visitor.thing("sources_section").get_by_role("radio", name=re.compile(name)).click()
    visitor.settle()


def test_an_edit_survives_page_switch_and_refresh(visitor):
    visitor.open("/sources?scenario=support-chat").type_into(QUESTION, "Which gift is safe?")
    visitor.page.get_by_role("link", name="Playground").click()
    visitor.settle()
    visitor.page.get_by_role("link", name="Sources").click()
    visitor.settle()
    assert question(visitor) == "Which gift is safe?"
    visitor.reload()
    assert question(visitor) == "Which gift is safe?"
    visitor.open("/sources")
    assert question(visitor) == "Which gift is safe?"


def test_undo_brings_the_text_back_and_the_field_shows_it(visitor):
    visitor.open("/sources?scenario=support-chat")
    before = question(visitor)
    visitor.type_into(QUESTION, "one").type_into(QUESTION, "two")
    visitor.page.keyboard.press("Escape")
    visitor.click("frame_undo")
    assert question(visitor) == "one"
    visitor.thing("frame_undo").focus()
    visitor.page.keyboard.press("Control+z")
    visitor.settle()
    assert question(visitor) == before
    visitor.click("frame_redo")
    assert question(visitor) == "one"


def test_nothing_is_lost_when_the_server_restarts_not_even_the_first_edit_after_it(browser, tmp_path):
    port = free_port()
    server = start(tmp_path, port)
    try:
        with visiting(browser, f"http://127.0.0.1:{port}") as visitor:
            visitor.open("/sources?scenario=support-chat").type_into(QUESTION, "before the restart")
            visitor.type_into("sources_system", "Be brief.")
            visitor.click("frame_undo")
            stop(server)
            server = start(tmp_path, port)
            visitor.settle()
            visitor.type_into("sources_system", "Be kind.")
            for _ in range(2):
                assert question(visitor) == "before the restart"
                assert visitor.thing("sources_system").get_by_role("textbox").input_value() == "Be kind."
                visitor.reload()
    finally:
        stop(server)


def test_somebody_elses_link_opens_as_a_copy(browser, address):
    with visiting(browser, address) as ann, visiting(browser, address) as bob:
        ann.open("/sources?scenario=support-chat").type_into(QUESTION, "asked by Ann")
        link = ann.page.url
        bob.page.goto(link)
        bob.settle()
        assert question(bob) == "asked by Ann"
        bob.type_into(QUESTION, "asked by Bob")
        assert "ws=" in bob.page.url
        assert bob.page.url != link
        assert question(ann.reload()) == "asked by Ann"
        assert question(bob.reload()) == "asked by Bob"


def test_two_tabs_of_one_workspace_lose_nothing(visitor):
    visitor.open("/sources?scenario=support-chat").type_into(QUESTION, "first")
    other = Visitor(visitor.page.context.new_page(), visitor.address)
    other.page.goto(visitor.page.url)
    other.settle().type_into(QUESTION, "in the other tab")
    visitor.type_into(QUESTION, "in this tab")
    assert visitor.page.url != other.page.url
    assert question(visitor.reload()) == "in this tab"
    assert question(other.reload()) == "in the other tab"


@pytest.mark.parametrize("script", ["server.py", "app.py"])
def test_the_first_visitor_of_a_fresh_server_gets_the_page_of_the_link(browser, tmp_path, script):
    with running(tmp_path, script) as address, visiting(browser, address) as visitor:
        visitor.open("/sources?scenario=support-chat")
        assert visitor.page.get_by_role("dialog").count() == 0
        assert visitor.page.get_by_role("heading", name="Sources").is_visible()
        visitor.check_sound()


@pytest.mark.parametrize("path", ["/", "/sources", "/present"])
def test_a_link_opens_its_view_on_every_page(visitor, path):
    visitor.open(f"{path}?scenario=support-chat&system=raw&stage=gather&view=treemap&window=8000")
    for part in ("scenario=support-chat", "system=raw", "stage=gather", "view=treemap", "window=8000", "ws="):
        assert part in visitor.page.url


def test_back_goes_to_the_view_before_and_never_gets_stuck(visitor):
    visitor.open("/?scenario=support-chat&window=8000")
    start = visitor.page.url
    for at in (0, 1):
        visitor.thing("budget_quick").get_by_role("button").nth(at).click()
        visitor.settle()
    assert "window=32000" in visitor.page.url
    for _ in range(2):
        visitor.page.go_back()
        visitor.settle()
    assert visitor.page.url == start
    assert visitor.thing("budget_window").get_by_text("8,000").is_visible()


def test_the_language_is_the_browsers_until_one_is_chosen(browser, address):
    with visiting(browser, address, locale="zh-CN") as visitor:
        visitor.open("/sources")
        assert visitor.page.get_by_role("heading", name="来源").is_visible()
        visitor.thing("frame_language").get_by_role("radio", name="EN").click()
        visitor.settle().reload()
        assert visitor.page.get_by_role("heading", name="Sources").is_visible()
        visitor.check_sound()


def test_messages_are_edited_pinned_added_and_removed(visitor):
    visitor.open("/sources?scenario=support-chat")
    section(visitor, "Conversation")
    visitor.type_into("sources_item_turn-0002", "A shorter hello.")
    visitor.thing("sources_pin_turn-0002").locator("label").click()
    visitor.settle().click("sources_remove_turn-0003")
    visitor.settle()  # a run that is still on its way would close what is opened next
    visitor.thing("sources_add_message").get_by_text("Add").first.click()
    visitor.page.locator(".st-key-sources_new_text textarea").fill("One more thing.")
    visitor.thing("sources_new_submit").get_by_role("button").click()
    visitor.settle().reload()
    section(visitor, "Conversation")
    assert visitor.thing("sources_item_turn-0002").get_by_role("textbox").first.input_value() == "A shorter hello."
    assert visitor.thing("sources_pin_turn-0002").locator("input").is_checked()
    assert visitor.thing("sources_item_turn-0003").count() == 0
    visitor.type_into("sources_find_conversation", "One more thing")
    assert visitor.page.get_by_text("One more thing.").count() == 1


def test_a_dropped_file_is_opened(visitor, tmp_path: Path):
    file = tmp_path / "log.json"
    file.write_text('{"messages": [{"role": "user", "content": "Dropped?"}]}')
    visitor.open("/sources")
    section(visitor, "Open a file")
    visitor.thing("sources_drop").locator("input[type=file]").set_input_files(file)
    visitor.page.get_by_text("is open").wait_for()
    visitor.settle()
    section(visitor, "Prompt")
    assert question(visitor) == "Dropped?"


def test_a_text_from_a_user_stays_a_text(visitor):
    """Neither a script nor a picture of a scenario is run or fetched, wherever it is shown."""
    evil = "<img src=x onerror=alert(1)> ![x](http://evil.invalid/?q=1) :red[x] $x$"
    dialogs = []
    visitor.page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    visitor.open("/sources?scenario=support-chat").type_into(QUESTION, evil)
    visitor.open("/")
    assert dialogs == []


def test_every_answer_carries_its_headers_and_a_page_the_cookie(address):
    with urllib.request.urlopen(address) as answer:
        headers = answer.headers
    assert "script-src 'self' blob:;" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    for part in ("ctxcore_owner=", "HttpOnly", "SameSite=Lax"):
        assert part in headers["set-cookie"]
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["content-encoding"] == "gzip"


def test_without_server_py_there_is_one_local_owner(browser, tmp_path):
    with running(tmp_path, "app.py") as address:
        with visiting(browser, address) as ann:
            ann.open("/sources").type_into(QUESTION, "asked first")
            ann.check_sound()
        with visiting(browser, address) as bob:
            assert question(bob.open("/sources")) == "asked first"
