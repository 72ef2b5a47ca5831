"""A long list of sources: searched, in pages of ten, and open at the page of what was just added."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.sources.fields import counted
from ui.words import number, t

PER_PAGE = 10
JUMP = "_sources_jump"  # kind and position of the item that was just added


def jump(kind: str, at: int) -> None:
    """The list shows the page of the item at this position when it is drawn next, whatever was searched for."""
    st.session_state[JUMP] = [kind, at]


def sought_in(kind: str) -> str:
    if _jumps(kind) is not None:
        st.session_state[f"sources.find.{kind}"] = ""
    with st.container(key=f"sources_find_{kind}"):
        return st.text_input(
            t("sources.find"),
            key=f"sources.find.{kind}",
            placeholder=t("sources.find"),
            icon=":material/search:",
            label_visibility="collapsed",
        ).lower()


def page_of(kind: str, sought: str, found: Sequence[int]) -> Sequence[int]:
    """The positions on the page that the user is on."""
    pages = -(-len(found) // PER_PAGE)
    wanted = _jumps(kind)
    st.session_state.pop(JUMP, None)
    if not found:
        st.caption(t("sources.nothing_found") if sought else t("sources.none"))
    if pages <= 1:
        return found
    key_of_page = f"sources.page.{kind}.{pages}.{sought}"
    if wanted in found:
        st.session_state[key_of_page] = found.index(wanted) // PER_PAGE + 1
    with st.container(key=f"sources_page_{kind}", horizontal=True, vertical_alignment="center"):
        page = st.pagination(pages, key=key_of_page)
        st.caption(t("sources.found", count=number(len(found))) if sought else counted("items", len(found)))
    return found[(page - 1) * PER_PAGE : page * PER_PAGE]


def _jumps(kind: str) -> int | None:
    wanted, at = st.session_state.get(JUMP, ("", None))
    return at if wanted == kind else None
