"""From nothing to the first picture: the server starts, a browser with an empty cache comes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from statistics import median

from playwright.sync_api import Playwright

from bench.browser.apps import EMPTY, OURS, visited

FIRST = {EMPTY: "[data-testid=stText]", OURS: ".st-key-view_items .row"}
ROUNDS, TARGET = 5, 1.5
Parts = tuple[float, float]  # seconds until the server answers; from there to the picture


def starts(playwright: Playwright, rounds: int = ROUNDS) -> Mapping[str, Parts]:
    """The medians of each app; they take turns."""
    seen: dict[str, list[Parts]] = {script: [] for script in FIRST}
    for _ in range(rounds):
        for script, taken in seen.items():
            began = time.perf_counter()
            with visited(playwright, script) as there:
                answered = time.perf_counter()
                there.visitor.page.goto(there.visitor.address)
                there.visitor.page.locator(FIRST[script]).first.wait_for()
                taken.append((answered - began, time.perf_counter() - answered))
    return {script: tuple(map(median, zip(*taken, strict=True))) for script, taken in seen.items()}  # type: ignore[misc]
