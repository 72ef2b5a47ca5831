"""Nothing of ours that axe-core calls serious or critical, on any page, in either look; no button read as its icon."""

from __future__ import annotations

import re

import pytest

from tests.browser.visit import visiting

PAGES = ("/", "/compare", "/sources", "/why?find=cashew", "/knowledge", "/pipeline", "/tune", "/agent", "/measure")
MORE = (*PAGES, "/present", "/library")
OF_STREAMLIT = {
    "scrollable-region-focusable": "pre",  # a code box with a height of its own
    "color-contrast": "[aria-hidden=true] > [data-testid=stMarkdownContainer]",  # the label of a disabled popover
}
SIGN = re.compile(r"^\w+ icon\b")  # what Streamlit calls a button that shows a sign alone; ui/signs.py says more


def faults(page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for told in Axe().run(page).response["violations"]:
        own = [node for node in told["nodes"] if not is_of_streamlit(page, told["id"], node)]
        if told["impact"] in ("serious", "critical") and own:
            found += [f"{told['id']}: {node['html'][:160]}" for node in own]
    signs = page.get_by_role("button", name=SIGN).all()
    return [*found, *(f"read as an icon: {one.evaluate('e => e.outerHTML')[:160]}" for one in signs)]


def is_of_streamlit(page, rule: str, node) -> bool:
    target = node["target"][0]
    if rule not in OF_STREAMLIT or not isinstance(target, str):
        return False
    return page.locator(target).first.evaluate("(e, query) => !!e.closest(query)", OF_STREAMLIT[rule])


def check(browser, address: str, scheme: str, pages) -> None:
    with visiting(browser, address, color_scheme=scheme) as visitor:
        told = {page: faults(visitor.open(page).page) for page in pages}
    assert {page: found for page, found in told.items() if found} == {}


@pytest.mark.parametrize(("scheme", "pages"), [("dark", PAGES[:2]), ("light", PAGES[2:4])])
def test_nothing_serious_keeps_anybody_out(browser, address, scheme, pages):
    check(browser, address, scheme, pages)


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_keeps_anybody_out_of_any_page(browser, address, scheme):
    check(browser, address, scheme, MORE)
