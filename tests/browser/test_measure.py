"""The place effect of a real model, measured in the app: priced, stopped, taken up, and used as the layout's curve."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.test_ask import App, app, visitor  # noqa: F401 (fixtures)
from tests.browser.visit import Visitor


def choose(visitor: Visitor, name: str, value: str) -> None:  # noqa: F811
    visitor.thing(f"measure_{name}").locator("[data-testid=stSelectbox] input").click()
    visitor.page.get_by_role("option", name=value, exact=True).click()
    visitor.settle()


def test_a_measurement_is_priced_stopped_taken_up_and_used(app: App, visitor: Visitor):  # noqa: F811
    visitor.open("/measure?scenario=support-chat")
    choose(visitor, "places", "3")
    choose(visitor, "trials", "2")
    before = app.relay.replies
    expect(visitor.thing("measure_go")).to_contain_text("6 calls, about 6,000 tokens")
    visitor.thing("measure_go").get_by_role("button").click()
    expect(visitor.thing("measure_progress")).to_contain_text(re.compile("[1-5] of 6 asked"))
    visitor.thing("measure_progress").get_by_role("button").click()
    part = visitor.page.get_by_text(re.compile(r": [1-5] of 6 answers"))
    part.wait_for()
    visitor.settle().thing("measure_go").get_by_role("button").click()
    visitor.page.get_by_text(": 6 of 6 answers").wait_for(timeout=120_000)
    assert app.relay.replies - before == 6
    visitor.settle().page.get_by_role("button", name="Use as the curve").first.click()
    curve = visitor.settle().thing("layout_curve").locator("[data-testid=stSelectbox]")
    curve.wait_for()
    shown = curve.inner_text() + "".join(field.input_value() for field in curve.locator("input").all())
    assert "Measured: smollm2-135m" in shown
    assert "view=layout" in visitor.page.url
