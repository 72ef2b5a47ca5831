"""Tune: the line is dragged, and the picture follows in the browser itself, without the server."""

from __future__ import annotations

import time

from tests.browser.visit import Visitor

FRAME_MS = 33  # a repaint may take so long, measured inside the component


def canvas(visitor: Visitor):
    return visitor.thing("tune_survival").locator("canvas.top")


def test_dragging_repaints_within_a_frame_and_asks_no_server(visitor: Visitor) -> None:
    visitor.open("/tune?scenario=support-chat")
    box = canvas(visitor).bounding_box()
    assert box is not None
    sent: list[str] = []
    visitor.page.on("websocket", lambda socket: sent.append(socket.url))
    runs = visitor.page.locator("[data-testid=stApp]")
    x, y = box["x"] + 220, box["y"] + 8
    before = canvas(visitor).get_attribute("aria-valuenow")
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    for step in range(100):
        visitor.page.mouse.move(x + 5 * step, y)
        assert runs.get_attribute("data-test-script-state") == "notRunning"
    visitor.page.mouse.up()
    picture = visitor.thing("tune_survival").locator(".survival")
    assert canvas(visitor).get_attribute("aria-valuenow") != before
    assert int(picture.get_attribute("data-repaints") or 0) > 50
    assert float(picture.get_attribute("data-p95") or 99) < FRAME_MS
    assert sent == []


def test_arrow_keys_go_from_breakpoint_to_breakpoint_and_enter_applies(visitor: Visitor) -> None:
    visitor.open("/tune?scenario=support-chat")
    line = canvas(visitor)
    line.focus()
    now = int(line.get_attribute("aria-valuenow") or 0)
    line.press("ArrowRight")
    ahead = int(line.get_attribute("aria-valuenow") or 0)
    assert ahead > now
    line.press("ArrowLeft")
    assert int(line.get_attribute("aria-valuenow") or 0) == now
    line.press("ArrowRight")
    line.press("Enter")
    visitor.settle()
    assert f"window={ahead}" in visitor.page.url
    assert int(canvas(visitor).get_attribute("aria-valuenow") or 0) == ahead


def test_it_can_be_read_on_a_phone(visitor: Visitor) -> None:
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    visitor.open("/tune?scenario=context-assistant")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
    began = time.monotonic()
    canvas(visitor).press("End")
    assert time.monotonic() - began < 5
