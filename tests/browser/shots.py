"""Screenshots of every page, light and dark, wide and narrow, English and Chinese: `make shots` writes tests/shots."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.server import ARGS, ROOT, chromium, running
from tests.browser.visit import visiting

FOLDER = ROOT / "tests" / "shots"
PAGES = {
    "playground": "/?scenario=support-chat",
    "sources": "/sources?scenario=support-chat",
    "library": "/library",
    "present": "/present",
}
LOOKS = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "zh": {"locale": "zh-CN"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGS))
        for look, context in LOOKS.items():
            with visiting(browser, address, **context) as visitor:
                for name, path in PAGES.items():
                    visitor.open(path).page.screenshot(path=FOLDER / f"{name}-{look}.png")


if __name__ == "__main__":
    main()
