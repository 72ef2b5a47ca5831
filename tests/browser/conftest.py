"""Server, browser and visitor. Where no Chromium is, these tests are skipped with the reason; in CI they fail."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.server import ARGS, chromium, running
from tests.models.conftest import local_model  # noqa: F401 (a fixture)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A real browser on a busy machine: what fails twice is a fault, and repeats are printed (-rR).
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser():
    found = chromium()
    if found is None:
        reason = "no Chromium here: install one (apt-get install chromium), or name it in CTXCORE_CHROMIUM"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one server for all tests; visitors do not meet, each has a cookie of its own."""
    with running(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def visitor(browser, address: str):
    """A visitor of 1280 × 900 pixels who reads English, in the light theme. Must leave without a fault."""
    from tests.browser.visit import visiting

    with visiting(browser, address) as visitor:
        yield visitor
        visitor.check_sound()
