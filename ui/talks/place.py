"""Which talk, which screen: in the address, so that a reload or a link opens the same; and the room for it."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from ui.words import t

TALK, SCREEN, FULL = "talk", "screen", "_full_screen"
BARE = "[data-testid=stSidebar], [data-testid=stHeader], [data-testid=stExpandSidebarButton] { display: none; }"


def place(known: Collection[str], first: str) -> tuple[str, int]:
    """The talk and its screen, from 0. A name that is none is told, and is the first one."""
    query = st.query_params
    name, typed = query.get(TALK, st.session_state.get(TALK, first)), query.get(SCREEN, "")
    if name not in known:
        st.info(t("talk.unknown"), icon=":material/info:")
        name = first
    at = int(typed) - 1 if typed.isascii() and typed.isdigit() and len(typed) < 4 else st.session_state.get(SCREEN, 0)
    keep(name, max(0, at))
    return name, max(0, at)


def keep(name: str, at: int) -> None:
    st.session_state[TALK], st.session_state[SCREEN] = name, at
    st.query_params[TALK], st.query_params[SCREEN] = name, str(at + 1)


def turn(name: str, at: int) -> None:
    keep(name, at)
    st.rerun()


def full_screen() -> None:
    """Hides what stands around the talk; the browser's own bars are the browser's."""
    with st.container(key="present_full", width="content"):
        is_full = st.toggle(t("talk.full"), key=FULL, help=t("talk.full_help"))
    if is_full:
        st.html(f"<style>{BARE}</style>")
