"""An app that is served and visited, and what a move of the visitor costs: clock, CPU on both sides, bytes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles

from playwright.sync_api import Playwright

from bench.conversation import conversation
from tests.browser.server import ARGS, chromium, free_port, start, stop
from tests.browser.visit import Visitor, visiting

EMPTY, OURS = "bench/browser/empty_app.py", "server.py"
# From a key that is pressed to the last frame that shows something new: the text is another, the run is over, and no
# component has drawn for a while. A timer set within a frame comes when that frame is drawn; where a headless browser
# falls asleep and draws none, the moment itself counts.
WATCH = """
for (const [kind, verb] of [[CanvasRenderingContext2D, 'setTransform'], [Element, 'replaceChildren']]) {
  const plain = kind.prototype[verb];
  kind.prototype[verb] = function (...given) {
    window.painted = performance.now();
    return plain.apply(this, given);
  };
}
window.watch = (marker) => {
  const app = document.querySelector('[data-testid=stApp]'), text = () => document.querySelector(marker)?.innerText;
  const before = text();
  window.took = 0;
  addEventListener('keydown', () => {
    const pressed = performance.now();
    let end = pressed, over = false, seen = pressed;
    const look = () => {
      const now = performance.now(), ends = app.dataset.testScriptState !== 'running' && text() !== before;
      if (ends !== over || window.painted > seen) {
        end = now;
        requestAnimationFrame(() => setTimeout(() => { if (performance.now() - now < 100) end = performance.now(); }));
      }
      [over, seen] = [ends, Math.max(seen, window.painted ?? 0)];
      if (over && now - end > 150) window.took = end - pressed;
      else setTimeout(look, 4);
    };
    setTimeout(look);
  }, {capture: true, once: true});
};
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds on the clock, of the page's main thread and of the server's CPU; bytes sent to the page."""

    clock: float
    page: float
    server: float
    sent: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Many costs: the clock at the median and at the 95th percentile, the others on average."""

    p50: float
    p95: float
    page: float
    server: float
    sent: float


def spread(costs: Sequence[Cost]) -> Spread:
    clock = [cost.clock for cost in costs]
    parts = (mean(getattr(cost, part) for cost in costs) for part in ("page", "server", "sent"))
    return Spread(median(clock), quantiles(clock, n=20)[-1], *parts)


class Visited:
    """`visitor` is at home in an app of its own process; `marker` is the element whose text a move changes."""

    def __init__(self, visitor: Visitor, process: int, marker: str) -> None:
        self.visitor, self.marker, self._process, self.sent = visitor, marker, process, 0
        page = visitor.page
        page.add_init_script(WATCH)
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self._devtools.send("Performance.enable")

    def _received(self, frame: bytes | str) -> None:
        self.sent += len(frame)

    def move(self, key: str = "ArrowLeft") -> Cost:
        """One arrow key on the first slider, until it is drawn."""
        page = self.visitor.page
        page.get_by_role("slider", name="Window").first.focus()
        page.evaluate("(marker) => window.watch(marker)", self.marker)
        before = self._busy(), self._server(), self.sent
        page.keyboard.press(key)
        took = float(page.wait_for_function("() => window.took", polling=50).json_value())
        after = self._busy(), self._server(), self.sent
        return Cost(took, *(now - then for now, then in zip(after[:2], before[:2], strict=True)), after[2] - before[2])

    def _busy(self) -> float:
        """Milliseconds that the page's main thread has worked so far."""
        found = self._devtools.send("Performance.getMetrics")["metrics"]
        return 1e3 * next(float(one["value"]) for one in found if one["name"] == "TaskDuration")

    def _server(self) -> float:
        """Milliseconds of CPU that the server has used so far, in steps of ten."""
        spent = Path(f"/proc/{self._process}/stat").read_text().rpartition(")")[2].split()[11:13]
        return 1e3 * sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def visited(playwright: Playwright, script: str) -> Iterator[Visited]:
    """A server and a browser of its own (of two pages in one browser, one may get no frames), gone nowhere yet."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        server = start(Path(folder), port, script)
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGS))
            with browser, visiting(browser, f"http://127.0.0.1:{port}") as visitor:
                marker = "[data-testid=stText]" if script == EMPTY else ".st-key-headline"
                yield Visited(visitor, server.pid, marker)
        finally:
            stop(server)


def open_long(visitor: Visitor, messages: int, system: str, view: str = "items") -> None:
    """A conversation of 100 tokens a message, opened as a file as anybody does, and looked at on the Playground."""
    visitor.open(f"/sources?scenario=support-chat&system={system}&view={view}")
    visitor.thing("sources_section").get_by_text("Open a file").click()
    text = json.dumps(conversation(messages, 1), ensure_ascii=False).encode()
    drop = visitor.settle().thing("sources_drop").locator("input[type=file]")
    drop.set_input_files({"name": "long.json", "mimeType": "application/json", "buffer": text})
    visitor.page.get_by_text("is open").wait_for()
    visitor.settle().page.get_by_role("link", name="Playground").click()
    visitor.settle()
