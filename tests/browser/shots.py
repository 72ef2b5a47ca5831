"""Pictures of every page and view: `make shots` writes those of docs/ anew, and all looks of pages to tests/shots."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.server import ARGS, ROOT, chromium, running
from tests.browser.visit import visiting

FOLDER, DOCS = ROOT / "tests" / "shots", ROOT / "docs" / "img"
CHAT = "scenario=support-chat&system=gssc&window=4000"
PAGES = {
    "playground": f"/?{CHAT}",
    "sources": f"/sources?{CHAT}",
    "why": f"/why?{CHAT}&find=severe+cashew+allergy",
    "knowledge": "/knowledge",
    "pipeline": f"/pipeline?{CHAT}",
    "compare": f"/compare?{CHAT}&demo=caps-never-scale",
    "tune": f"/tune?{CHAT}",
    "agent": "/agent",
    "measure": "/measure",
    "library": "/library",
    "present": "/present?talk=article-gssc&screen=2",
}
VIEWS = ("items", "prompt", "messages", "treemap", "layout", "diff", "findings", "growth", "ask")
LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "zh": {"locale": "zh-CN"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}
MOVING = 2_500  # milliseconds until what moves has arrived


def of_docs() -> Iterator[tuple[str, str]]:
    """Name of the picture, address."""
    yield from ((f"page-{name}", path) for name, path in PAGES.items())
    yield from ((f"view-{name}", f"/?{CHAT}&stage=summarize&view={name}") for name in VIEWS)


def draw_docs(browser: Browser, address: str) -> None:
    with visiting(browser, address, viewport={"width": 1280, "height": 860}) as visitor:
        for name, path in of_docs():
            visitor.open(path).page.wait_for_timeout(MOVING)
            visitor.page.screenshot(path=DOCS / f"{name}.jpg", type="jpeg", quality=62)


def draw_looks(browser: Browser, address: str) -> None:
    for look, context in LOOKS.items():
        with visiting(browser, address, **context) as visitor:
            for name, path in PAGES.items():
                visitor.open(path).page.screenshot(path=FOLDER / f"{name}-{look}.png")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGS))
        draw_docs(browser, address)
        draw_looks(browser, address)


if __name__ == "__main__":
    main()
