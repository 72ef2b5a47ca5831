"""The Agent page in a real browser; and what is found in, and how they grow: built-in conversations and a real log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxcore.agent.scripted import play, script
from tests.browser.visit import Visitor, visiting

SHARED = Path(__file__).parents[3] / "shared" / "inputs" / "swe-agent"
LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "phone, dark, Chinese": {
        "viewport": {"width": 390, "height": 844},
        "color_scheme": "dark",
        "locale": "zh-CN",
    },
}
BEYOND = """width => [...document.querySelectorAll('[data-testid=stMain] *')]
  .filter(each => each.getBoundingClientRect().right > width + 1 && each.checkVisibility({visibilityProperty: true}))
  .filter(each => !each.closest('pre, [data-testid=stDataFrame]') && each.tagName !== 'INPUT')
  .map(each => each.tagName + '.' + each.className)"""


def pick(visitor: Visitor, run: str, step: int) -> None:
    for name in (run, str(step)):
        visitor.thing("agent_pick").get_by_role("radio", name=name, exact=True).click()
        visitor.settle()


def view(visitor: Visitor, name: str) -> str:
    visitor.thing("view_pick").get_by_role("radio", name=name).click()
    visitor.settle().check_sound()
    return visitor.thing(f"view_{name.lower()}").inner_text()


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_opens_in_every_look_and_nothing_is_wider_than_the_screen(browser, address, look):
    with visiting(browser, address, **LOOKS[look]) as visitor:
        visitor.open("/agent")
        assert visitor.thing("agent_timeline").locator(".js-plotly-plot .bars").count() == 4
        assert visitor.thing("agent_metrics").get_by_role("row").count() == 7
        assert visitor.page.evaluate(BEYOND, visitor.page.viewport_size["width"]) == []
        visitor.check_sound()


def test_a_step_is_picked_and_opened_in_the_playground(visitor):
    visitor.open("/agent")
    pick(visitor, "without management", 7)
    assert "would have sent 8,900 tokens into a window of 8,000" in visitor.thing("agent_step").inner_text()
    visitor.click("agent_open")
    visitor.thing("headline").wait_for()
    visitor.settle()
    assert "8,900" in visitor.thing("headline").inner_text()
    assert "system=raw" in visitor.page.url
    visitor.page.get_by_role("link", name="Agent").click()
    visitor.settle()
    assert visitor.thing("agent_pick").get_by_role("radio", name="7", exact=True).is_checked()
    pick(visitor, "with management", 7)
    assert "Observation" in visitor.thing("agent_step").inner_text()
    visitor.click("agent_open")
    visitor.thing("headline").wait_for()
    visitor.settle()
    sent = tuple(play(script()))[6].trace.totals.total
    assert f"{sent:,}" in visitor.thing("headline").inner_text()
    assert "system=layered" in visitor.page.url


def test_a_click_on_the_chart_picks_the_step(visitor):
    visitor.open("/agent")
    chart = visitor.thing("agent_timeline")
    for step, curve, run in ((3, ".bars >> nth=2", "with management"), (6, ".scatter >> nth=0", "without management")):
        mark = ".point path" if "bars" in curve else "path.point"
        chart.locator(curve).locator(mark).nth(step - 1).hover(force=True)
        visitor.page.mouse.down()
        visitor.page.mouse.up()
        visitor.settle()
        picked = visitor.thing("agent_pick").get_by_role("radio", checked=True).all_inner_texts()
        assert picked == [run, str(step)]


def test_the_numbers_say_who_came_to_the_end(visitor):
    visitor.open("/agent")
    rows = visitor.thing("agent_metrics").get_by_role("row").all_inner_texts()
    cells = {row.split(" ")[0].split("\t")[0]: re.split(r"\t", row) for row in rows}
    assert [cell.strip() for cell in cells["Finished"][1:]] == ["yes", "no: over the window"]
    assert [cell.strip() for cell in cells["Peak"][1:]] == ["3,504", "8,900"]
    visitor.thing("agent_window").get_by_role("slider").focus()
    visitor.page.keyboard.press("Home")
    visitor.settle()
    assert "no: over the window" in visitor.thing("agent_metrics").inner_text()
    assert visitor.thing("agent_pick").get_by_role("radio", name="10", exact=True).count() == 1
    visitor.check_sound()


@pytest.mark.parametrize("scenario", ["support-chat", "coding-agent"])
def test_findings_and_growth_of_a_conversation(visitor, scenario):
    visitor.open(f"/?scenario={scenario}&system=compiler&window=4000")
    assert view(visitor, "Findings")
    view(visitor, "Growth")
    assert visitor.thing("view_growth").locator(".js-plotly-plot").count() == 1
    assert visitor.thing("view_growth").get_by_test_id("stDataFrame").count() == 1


@pytest.mark.skipif(not SHARED.is_dir(), reason="the logs of real agents are not here")
def test_findings_and_growth_of_a_real_agents_log(visitor):
    visitor.open("/sources")
    visitor.thing("sources_section").get_by_role("radio", name=re.compile("Open a file")).click()
    visitor.settle()
    log = SHARED / "function_calling_simple.traj"
    visitor.thing("sources_drop").locator("input[type=file]").set_input_files(log)
    visitor.page.get_by_text("is open").wait_for()
    visitor.settle().page.get_by_role("link", name="Playground").click()
    visitor.settle()
    assert view(visitor, "Findings")
    view(visitor, "Growth")
    assert visitor.thing("view_growth").locator(".js-plotly-plot").count() == 1
