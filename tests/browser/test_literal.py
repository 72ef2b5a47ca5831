"""What a user wrote and the app shows as Markdown: the text itself, letter by letter, and nothing that acts."""

from __future__ import annotations

import re

import pytest

from tests.browser.server import running
from tests.browser.visit import visiting
from tests.literals import TEXTS

ACTS = "a, img, svg, code, pre, table, ul, ol, h1, h2, h3, blockquote, strong, em, del, input, .katex, [role=img]"
LOOK = """(key) => {
    const box = document.querySelector(`.st-key-${key}`);
    return [box.innerText, [...box.querySelectorAll(ACTS)].map((found) => found.outerHTML)];
}""".replace("ACTS", repr(ACTS))


@pytest.fixture(scope="module")
def looks(browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, list[str]]]:
    """Where → what can be read there, and what there is besides text."""
    kinds = ("raw", "markdown", "caption", "coloured", "badge", "label")
    folder = tmp_path_factory.mktemp("literals")
    with running(folder, "tests/literals.py") as address, visiting(browser, address) as visitor:
        visitor.open("/")
        visitor.page.get_by_text("All are shown.", exact=True).wait_for()
        keys = [f"{kind}_{at}" for kind in kinds for at in range(len(TEXTS))]
        found = {key: tuple(visitor.page.evaluate(LOOK, key)) for key in keys}
        visitor.check_sound()
    return found


def in_words(text: str) -> list[str]:
    return re.findall(r"\S+", text)


@pytest.mark.parametrize("kind", ["markdown", "caption", "coloured", "badge", "label"])
@pytest.mark.parametrize("at", range(len(TEXTS)))
def test_a_literal_text_reads_as_it_was_written_and_does_nothing(looks, kind: str, at: int):
    shown, acting = looks[f"{kind}_{at}"]
    assert acting == []
    assert in_words(shown) == in_words(looks[f"raw_{at}"][0]) == in_words(TEXTS[at])
