"""How a drawn component is registered and mounted: one script, one style sheet, one event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from json import loads
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from ui.palette import PALETTE

ASSETS = Path(__file__).parent / "assets"
WORDS = Path(__file__).parents[1] / "words"
PREFIX = "draw."
TAKE = '<div class="take"></div>'
AFTER = '<div class="tip" popover="manual"></div><div class="live" role="status" aria-live="polite"></div>'

Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Mount:
    """Where and how a component stands on a page."""

    key: str
    words: Words  # the catalogue of the language; holds at least the entries of `component_words`
    selected: str | None = None  # id of the picked item or stage, marked by the component
    height: int | None = None  # pixels of the whole component; None = its own default
    on_pick: Callable[[str], None] | None = None  # called with the id before the page runs again


@cache
def component_words(lang: str) -> Words:
    """The strings that the components need, in "en" or "zh": the catalogue's templates under "draw.", without that."""
    catalogue: dict[str, str] = loads((WORDS / f"{lang}.json").read_text("utf-8"))
    drawn = {name.removeprefix(PREFIX): words for name, words in catalogue.items() if name.startswith(PREFIX)}
    return {"lang": lang, **drawn}


def register(name: str, html: str, *, picture: Literal["", "painted", "copied"] = "") -> Callable[..., Any]:
    """The component `name`, from assets/name.js and assets/name.css. Call it once, while its module is imported.

    `picture`: it can be taken home as PNG and SVG; its script calls `pictures` with what paints it, or `picturesOf`
    with the elements that it is made of.
    """
    more = {"": (), "painted": ("pictures",), "copied": ("pictures", "copies")}[picture]
    parts = ("shared", *more, name)
    script, style = (
        "\n".join((ASSETS / f"{part}.{kind}").read_text("utf-8") for part in parts) for kind in ("js", "css")
    )
    after = f"{TAKE if picture else ''}{AFTER}"
    return st.components.v2.component(
        f"ctxcore_{name}", html=f'<div class="box {name}">{html}{after}</div>', css=style, js=script
    )


def draw(
    component: Callable[..., Any],
    data: Mapping[str, Any],
    mount: Mount,
    others: Mapping[str, Callable[[str], None]] | None = None,
) -> str | None:
    """Mounts the component; the id that the reader picked just now, None in every other run.

    `others`: events beside `picked`, with what is called with their value before the page runs again.
    """

    def heard(event: str, answer: Callable[[str], None] | None) -> None:
        value = st.session_state[mount.key][event]
        if answer is not None and value is not None:
            answer(value)

    events = {"picked": mount.on_pick, **(others or {})}
    words = {name: mount.words[name] for name in component_words("en")}
    result = component(
        data={"palette": PALETTE, "words": words, "selected": mount.selected, **data},
        key=mount.key,
        **{f"on_{event}_change": partial(heard, event, answer) for event, answer in events.items()},
    )
    event: str | None = result["picked"]
    return event
