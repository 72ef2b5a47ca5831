"""Tune's survival picture: from the click to the first drawing, and how long a repaint takes as the line moves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Playwright

from bench.browser.apps import OURS, open_long, visited
from bench.browser.moves import SYSTEMS

DRAWN_MS, REPAINT_MS = 1_000, 33
STEPS = 300


@dataclass(frozen=True, slots=True)
class Picture:
    """`repaint` in ms at the 95th percentile, measured by the component itself."""

    name: str
    drawn: float  # ms
    repaint: str
    sent: int  # bytes to the page for it


def survivals(playwright: Playwright, size: int = 1_000) -> Iterator[Picture]:
    for system in SYSTEMS:
        with visited(playwright, OURS) as there:
            open_long(there.visitor, size, system)
            before, began = there.sent, time.perf_counter()
            there.visitor.page.get_by_role("link", name="Tune").click()
            there.visitor.page.locator(".st-key-tune_survival canvas.top").wait_for()
            drawn = 1e3 * (time.perf_counter() - began)
            chart = there.visitor.settle().thing("tune_survival")
            box = chart.locator("canvas.top").bounding_box()
            assert box is not None
            mouse = there.visitor.page.mouse
            mouse.move(box["x"] + 100, box["y"] + 8)
            mouse.down()
            for step in range(STEPS):
                mouse.move(box["x"] + 100 + step * (box["width"] - 120) / STEPS, box["y"] + 8)
            mouse.up()
            repaint = chart.locator(".survival").get_attribute("data-p95") or "–"
        yield Picture(f"{system}, {size:,} messages", drawn, repaint, there.sent - before)
