"""Keep a run, find it in the library, open it; and a link that shows a colleague the same view."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.visit import visiting


def test_a_run_is_kept_and_opened_and_a_link_shows_a_colleague_the_same(browser, address, visitor):
    visitor.open("/sources?scenario=support-chat")
    visitor.type_into("sources_system", "Be brief and never guess an allergen.")
    visitor.page.get_by_role("link", name="Playground").first.click()
    visitor.settle()
    visitor.click("keep_run")
    panel = visitor.page.get_by_test_id("stPopoverBody")
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Keep").click()
    visitor.settle()
    expect(panel).to_have_count(0)
    visitor.open("/library")
    visitor.click("frame_share")
    visitor.click("share_link")
    expect(visitor.thing("share_link").locator("code")).to_contain_text(f"{address}/?share=")
    visitor.page.keyboard.press("Escape")
    row = visitor.thing("library_row_0")
    expect(row).to_contain_text("support-chat gssc")
    row.get_by_role("button").first.click()
    visitor.settle()
    expect(visitor.thing("headline")).to_be_visible()

    visitor.click("frame_share")
    visitor.click("share_link")
    link = visitor.thing("share_link").locator("code")
    expect(link).to_contain_text("?share=")
    with visitor.page.expect_download() as download:
        visitor.thing("share_report").get_by_role("button").click()
    report = Path(download.value.path()).read_text(encoding="utf-8")
    assert "never guess an allergen" in report
    with visiting(browser, address) as colleague:
        colleague.open("/sources?" + link.inner_text().partition("?")[2])
        expect(colleague.thing("scenario_pick").get_by_role("combobox")).to_have_value("support-chat (edited)")
        text = colleague.thing("sources_system").get_by_role("textbox")
        expect(text).to_have_value("Be brief and never guess an allergen.")
        colleague.check_sound()


def test_the_link_of_an_agent_s_step_opens_that_step(browser, address, visitor):
    visitor.open("/agent?run=unmanaged&step=3").click("frame_share")
    link = visitor.thing("share_link").locator("code").inner_text()
    picked = visitor.page.get_by_role("radio", checked=True).all_inner_texts()
    assert picked[1:] == ["without management", "3"]
    with visiting(browser, address) as colleague:
        colleague.open(link.removeprefix(address))
        assert colleague.page.get_by_role("radio", checked=True).all_inner_texts() == picked
        colleague.check_sound()
