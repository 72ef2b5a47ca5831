"""The text or item that the page Why is asked after: kept in the session, and in the address of that page."""

from __future__ import annotations

import streamlit as st

FOUND, LINK, GENERATION, GO = "_sought", "_sought_link", "_sought_generation", "_go_why"  # of the session
PARAMETER = "find"
PAGE = "pages/debug/why.py"
LONGEST = 400  # characters


def sought() -> str:
    """What the address asks after, if it has changed, or else what was asked after last."""
    linked = str(st.query_params.get(PARAMETER, ""))[:LONGEST]
    if linked and linked != st.session_state.get(LINK):
        st.session_state[LINK] = linked
        seek(linked)
    return str(st.session_state.get(FOUND, ""))


def seek(text: str) -> None:
    """Asks after a text, or after an item by its id."""
    if text != st.session_state.get(FOUND):
        st.session_state[FOUND] = text[:LONGEST]
        st.session_state[GENERATION] = generation() + 1


def typed(text: str) -> None:
    """What the field says: it has it already, and is not to be made anew."""
    st.session_state[FOUND] = text[:LONGEST]


def generation() -> int:
    """Grows with each text that was not typed: part of the field's key."""
    return int(st.session_state.get(GENERATION, 0))


def show_in_address(text: str) -> None:
    st.session_state[LINK] = text
    if text and st.query_params.get(PARAMETER) != text:
        st.query_params[PARAMETER] = text
    elif not text and PARAMETER in st.query_params:
        del st.query_params[PARAMETER]


def ask(text: str) -> None:
    """From a component's event: the page goes to Why when it runs next."""
    seek(text)
    st.session_state[GO] = True


def go_if_asked() -> None:
    if st.session_state.pop(GO, False):
        st.switch_page(PAGE)
