"""Compare in a real browser: a demonstration by link, a story on both sides, words that differ; on a phone too."""

from __future__ import annotations

import re

from tests.browser.visit import visiting


def part(visitor, name: str) -> None:
    visitor.thing("compare_part").get_by_role("radio", name=name).click()
    visitor.settle()


def test_a_demonstration_shows_fates_words_and_settings(visitor):
    visitor.open("/compare?demo=one-misfit-ends-all")
    rows = visitor.thing("compare_flips").locator(".row")
    assert rows.count() == 5
    assert "article-after-misfit" in rows.first.inner_text()
    rows.first.click()
    visitor.settle()
    assert "select" in visitor.thing("compare_story").inner_text()
    part(visitor, "Payload")
    assert visitor.thing("compare_payload").get_by_text("Berth 5 is free.").count() == 1
    part(visitor, "Treemaps")
    assert visitor.thing("compare_treemap_2").locator("canvas.top").count() == 1
    part(visitor, "Settings")
    visitor.reload()
    assert visitor.thing("compare_settings").count() == 1


def test_words_inside_a_line_are_marked_on_a_phone_too(browser, address):
    with visiting(browser, address, viewport={"width": 390, "height": 844}) as visitor:
        visitor.open("/compare?scenario=chinese-service&part=payload&other=variant:article")
        assert visitor.thing("compare_payload").locator("mark").count() > 0
        assert visitor.page.evaluate("document.documentElement.scrollWidth") == 390
        visitor.thing("compare_ready").get_by_role("button", name="no management").click()
        visitor.settle()
        assert re.search("raw", visitor.thing("compare_total_2").inner_text())
        visitor.check_sound()
