"""A visitor who does anything: five hundred edits at random, over all pages, with texts that were made to hurt.

Whatever is set, the page is drawn, nothing unforeseen happens, and the state that is kept can be read again.
CTXCORE_WALK sets another number of edits, CTXCORE_FUZZ_SEED another seed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.literals import TEXTS
from tests.pages.test_pages import opened, said

EDITS = int(os.environ.get("CTXCORE_WALK", "500"))
SEED = int(os.environ.get("CTXCORE_FUZZ_SEED", "1"))
PAGES = (
    *(f"pages/debug/{name}.py" for name in ("playground", "sources", "why", "pipeline", "compare", "tune")),
    *(f"pages/debug/{name}.py" for name in ("agent", "measure", "knowledge")),
    "pages/show/library.py",
    "pages/show/present.py",
)
HERE = 12  # edits of one page before the next one is opened
HOSTILE = (
    *TEXTS,
    "",
    "\x00",
    "\u202e\u200b",
    "{",
    "[" * 400,
    "9" * 400,
    "-1",
    "1e999",
    "NaN",
    "%",
    "x" * 20_000,
    "\ud800",
)
LEFT_ALONE = ("ask", "measure.go", "evaluate", "library.import", "login")  # they go to a model, or end the session


def moves(at: AppTest, draw: random.Random) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What can be done on the page: a name to tell it by, and the deed."""
    for field in (*at.text_area, *at.text_input):
        yield f"{field.key}", lambda field=field: field.set_value(draw.choice(HOSTILE))
    for number in at.number_input:
        yield (
            f"{number.key}",
            lambda number=number: number.set_value(draw.choice((number.min, number.max, number.value))),
        )
    for slider in at.slider:
        yield f"{slider.key}", lambda slider=slider: slider.set_value(draw.choice((slider.min, slider.max)))
    for box in (*at.selectbox, *at.radio):
        yield f"{box.key}", lambda box=box: box.set_value(draw.choice(box.options)) if box.options else None
    for switch in (*at.toggle, *at.checkbox):
        yield f"{switch.key}", lambda switch=switch: switch.set_value(not switch.value)
    for button in at.button:
        if not button.disabled and not str(button.key or "").startswith(LEFT_ALONE):
            yield f"{button.key}", button.click


@pytest.mark.deep
def test_five_hundred_edits_at_random_and_nothing_unforeseen() -> None:
    draw, done, path = random.Random(SEED), 0, list[str]()
    while done < EDITS:
        page = draw.choice(PAGES)
        at = opened(page, scenario=draw.choice(("support-chat", "coding-agent", "chinese-service", "with-images")))
        path.append(page)
        for _ in range(HERE):
            choices = list(moves(at, draw))
            if not choices:
                break
            name, act = draw.choice(choices)
            path.append(name)
            act()
            at.run()
            done += 1
            assert said(at) == [], path[-HERE - 2 :]
    assert done >= EDITS
