"""`python -m bench.in_browser`: from a key press on the window's slider to the new picture, in a real browser.

Beside it, in the same run, the round trip of an empty Streamlit app. A re-run ends when its numbers are new, the page
says that nothing runs, and a frame was drawn after that. Then the first look: a fresh server, visited for the first
time; and Tune's picture: from the click to the first one, and how long a repaint takes while the line is dragged.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, sync_playwright

from bench.conversation import conversation
from bench.report import table
from tests.browser.server import ARGS, chromium, running
from tests.browser.visit import Visitor, visiting

EMPTY, EMPTY_TEXT = "bench/empty_app.py", "[data-testid=stText]"
HEADLINE = ".st-key-headline"
SYSTEMS = ("gssc", "compiler", "layered")
SIZES = {1_000: 2.0, 10_000: 4.0}  # messages; how many empty round trips one move may take
MOVES, WARM, STARTS = 45, 5, 3
COLD, SURVIVAL_MS, FRAME_MS = 1.5, 1_000, 33
WATCH = """(marker) => {
  const app = document.querySelector('[data-testid=stApp]'), text = () => document.querySelector(marker).innerText;
  const before = text();
  window.took = 0;
  addEventListener('keydown', () => {
    const pressed = performance.now(), look = () => {
      if (app.dataset.testScriptState === 'running' || text() === before) requestAnimationFrame(look);
      else requestAnimationFrame(() => { window.took = performance.now() - pressed; });
    };
    requestAnimationFrame(look);
  }, {capture: true, once: true});
}"""


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGS))
        head = ["one key on the window's slider", "p50", "p95", "× empty, p95", "target"]
        print(table(head, _moves(browser)), "\n")
        print(table(["fresh server, first picture", "ms", "× empty", "target"], _starts(browser)), "\n")
        print(table(["survival of 1,000 messages", "first drawn, ms", "repaint p95, ms", "target"], _survival(browser)))


@contextmanager
def _app(browser: Browser, script: str = "server.py") -> Iterator[Visitor]:
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), script) as address,
        visiting(browser, address) as visitor,
    ):
        yield visitor


def _moves(browser: Browser, sizes: Mapping[int, float] = SIZES) -> Iterator[list[str]]:
    for size, most in sizes.items():
        for system in SYSTEMS:
            with _app(browser, EMPTY) as empty:
                empty.open("/")
                floor = _moved(empty, EMPTY_TEXT)
            with _app(browser) as ours:
                _opened(ours, size, system)
                found = _moved(ours, HEADLINE)
            yield [f"empty app, before {system}", *_spread(floor), "1.00", ""]
            yield [f"{system}, {size:,} messages", *_spread(found), f"{_p95(found) / _p95(floor):.2f}", f"≤ {most:g}"]


def _moved(visitor: Visitor, marker: str) -> list[float]:
    return [_move(visitor, at, marker) for at in range(MOVES)][WARM:]


def _opened(visitor: Visitor, messages: int, system: str) -> None:
    """A conversation of 100 tokens a message, opened as a visitor does, at a window of 128,000."""
    visitor.open(f"/sources?scenario=support-chat&system={system}")
    visitor.thing("sources_section").get_by_text("Open a file").click()
    text = json.dumps(conversation(messages, 1), ensure_ascii=False).encode()
    file = {"name": "long.json", "mimeType": "application/json", "buffer": text}
    visitor.settle().thing("sources_drop").locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    visitor.page.get_by_text("is open").wait_for()
    visitor.settle().page.get_by_role("link", name="Playground").click()
    visitor.settle()


def _move(visitor: Visitor, at: int, marker: str) -> float:
    """Milliseconds from one arrow key on the slider until the re-run is over and drawn."""
    slider = visitor.page.get_by_role("slider").first
    slider.focus()
    visitor.page.evaluate(WATCH, marker)
    visitor.page.keyboard.press("ArrowRight" if at % 2 else "ArrowLeft")
    return float(visitor.page.wait_for_function("() => window.took").json_value())


def _starts(browser: Browser) -> Iterator[list[str]]:
    seen: dict[str, list[float]] = {EMPTY: [], "server.py": []}
    for _ in range(STARTS):
        for script, taken in seen.items():
            with _app(browser, script) as visitor:
                began = time.perf_counter()
                visitor.page.goto(visitor.address)
                visitor.page.get_by_text("At 500." if script == EMPTY else "tokens").first.wait_for()
                taken.append(1e3 * (time.perf_counter() - began))
    floor, ours = (median(taken) for taken in seen.values())
    yield ["empty app", f"{floor:,.0f}", "1.00", ""]
    yield ["ctxcore", f"{ours:,.0f}", f"{ours / floor:.2f}", f"≤ {COLD:g}"]


def _survival(browser: Browser) -> Iterator[list[str]]:
    for system in SYSTEMS:
        with _app(browser) as visitor:
            _opened(visitor, 1_000, system)
            began = time.perf_counter()
            visitor.page.get_by_role("link", name="Tune").click()
            line = visitor.thing("tune_survival").locator("canvas.top")
            line.wait_for()
            drawn = 1e3 * (time.perf_counter() - began)
            box = visitor.settle().thing("tune_survival").locator("canvas.top").bounding_box()
            assert box is not None
            visitor.page.mouse.move(box["x"] + 100, box["y"] + 8)
            visitor.page.mouse.down()
            for step in range(300):
                visitor.page.mouse.move(box["x"] + 100 + 2 * step, box["y"] + 8)
            visitor.page.mouse.up()
            p95 = visitor.thing("tune_survival").locator(".survival").get_attribute("data-p95") or "–"
        yield [system, f"{drawn:,.0f}", p95, f"≤ {SURVIVAL_MS:,}, < {FRAME_MS}"]


def _p95(taken: Sequence[float]) -> float:
    return quantiles(taken, n=20)[-1]


def _spread(taken: Sequence[float]) -> tuple[str, str]:
    return f"{median(taken):,.0f} ms", f"{_p95(taken):,.0f} ms"


if __name__ == "__main__":
    main()
