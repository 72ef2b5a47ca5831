"""A visitor of the app: goes somewhere, waits until it is drawn, finds things by their test id."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const still = app && app.dataset.testScriptState === 'notRunning' && app.dataset.testConnectionState === 'CONNECTED';
  return still && !document.querySelector('[data-testid=stSkeleton]');
}"""
HEIGHTS = """() => [...document.querySelectorAll('[data-testid=stMain], [data-testid=stVerticalBlock]')]
  .map((box) => box.scrollHeight).join()"""
PATIENCE_MS = 30_000
TRIES = 5
expect.set_options(timeout=PATIENCE_MS)  # its own five seconds are too few on a busy machine


class Visitor:
    """`page` is Playwright's own; `faults` are what went wrong so far: foreign requests, errors of the page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.faults: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self._check(request.url))
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))

    def _check(self, url: str) -> None:
        host = self.address.partition("://")[2]
        if not url.startswith(("data:", "blob:", f"http://{host}", f"ws://{host}")):
            self.faults.append(f"foreign request: {url}")

    def open(self, path: str = "/") -> Visitor:
        self.page.goto(self.address + path)
        return self.settle()

    def reload(self) -> Visitor:
        self.page.reload()
        return self.settle()

    def settle(self) -> Visitor:
        """Waits until nothing has run or moved for a while: what was just asked for needs some time to start."""
        still, height = 0, None
        while still < 3:
            self.page.wait_for_function(IDLE)
            self.page.wait_for_timeout(90)
            now = self.page.evaluate(HEIGHTS)
            still = still + 1 if now == height and self.page.evaluate(IDLE) else 0
            height = now
        return self

    def until(self, act: Callable[[], object], seen: Locator) -> Visitor:
        """Acts by hand until it took: a drag by pixels is lost where the page moves under it, for a person as well."""
        for _ in range(TRIES):
            act()
            try:
                seen.wait_for(timeout=PATIENCE_MS / TRIES)
                return self.settle()
            except TimeoutError:
                self.settle()
        picture = Path(tempfile.mkdtemp()) / "missing.png"
        self.page.screenshot(path=picture)
        raise AssertionError(f"{TRIES} tries did not show {seen}: see {picture}")

    def thing(self, test_id: str) -> Locator:
        """The container with `key=test_id` (CONTRACT: every control stands in one)."""
        return self.page.locator(f".st-key-{test_id}")

    def type_into(self, test_id: str, text: str) -> Visitor:
        """Fills the text area or text field of that container, and commits it."""
        field = self.thing(test_id).get_by_role("textbox").first
        field.fill(text)
        field.press("Control+Enter" if field.evaluate("field => field.tagName") == "TEXTAREA" else "Enter")
        return self.settle()

    def click(self, test_id: str) -> Visitor:
        self.thing(test_id).get_by_role("button").first.click()
        return self.settle()

    def check_sound(self) -> None:
        """No error on the screen, no error of the page, no request to a foreign host."""
        assert self.page.get_by_test_id("stException").count() == 0
        assert not re.search(r"Traceback|Something went wrong", self.page.inner_text("body"))
        assert self.faults == []


@contextmanager
def visiting(browser: Browser, address: str, **context: Any) -> Iterator[Visitor]:
    """A fresh browser with cookies of its own; `context` as Playwright's new_context takes it."""
    settings = {"viewport": {"width": 1280, "height": 900}, "locale": "en-US", "color_scheme": "light", **context}
    with browser.new_context(**settings) as own:
        yield Visitor(own.new_page(), address)
