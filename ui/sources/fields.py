"""The parts of a source's card: a text with its tokens, the pin, the button that removes it."""

from __future__ import annotations

import streamlit as st

from ctxcore.scenario import Scenario
from ui.signs import sign
from ui.sources import editing
from ui.sources.scenarios import save_scenario
from ui.words import number, t
from ui.workspace.state import key

MAX_EDITABLE = 200_000  # characters; beyond that a browser's text field becomes slow
MAX_SHOWN = 20_000  # characters of a text that is too long to edit
LINE = 24  # pixels


def text_field(label: str, text: str, *name: str, lines: int = 4, hidden: bool = True) -> str | None:
    """The edited text, or None where the user left it as it is. `name` makes the widget's key."""
    shown = text.encode("utf-8", "replace").decode()  # a lone surrogate cannot travel to the browser
    visibility = "collapsed" if hidden else "visible"
    if len(shown) > MAX_EDITABLE:
        st.caption(t("sources.too_long", shown=number(MAX_SHOWN), all=number(len(shown))))
        st.code(shown[:MAX_SHOWN], language=None, wrap_lines=True, height=300)
        return None
    height = LINE * min(24, max(lines, shown.count("\n") + len(shown) // 110 + 1)) + LINE
    new = st.text_area(label, shown, height=height, key=key("revision", *name), label_visibility=visibility)
    return None if new == shown else new


def counted(what: str, count: int) -> str:
    """ "1 document", "2 documents"."""
    return t(f"sources.{'one' if count == 1 else 'many'}.{what}", count=number(count))


def head(name: str, tokens: int) -> None:
    """The id and the size."""
    st.text(name, width="content")
    st.caption(t("sources.tokens", shown=number(tokens)), width="content")


def pin(scenario: Scenario, name: str) -> None:
    with st.container(key=f"sources_pin_{name}", width="content"):
        now = name in scenario.pinned
        wanted = st.toggle(t("sources.pin"), now, help=t("sources.pin_help"), key=key("revision", "pin", name))
    if wanted != now:
        save(editing.pinned(scenario, name, wanted))


def removes(name: str) -> bool:
    """Whether the user wants to be rid of it."""
    with st.container(key=f"sources_remove_{name}", width="content"):
        place = key("revision", "remove", name)
        return sign(":material/delete:", t("sources.remove"), place, of=name, type="tertiary")


def save(scenario: Scenario, *, renew: bool = False) -> None:
    """Stores the edit and draws anew: counts above the field shall be right too."""
    save_scenario(scenario, renew=renew)
    st.rerun()
