"""What the words on the pages mean: one sentence each, and where it comes from. A term's texts are `term.NAME…`."""

from __future__ import annotations

import streamlit as st

from ui.words import t

TERMS = (
    "token",
    "window",
    "reserve",
    "room",
    "limit",
    "overhead",
    "exactness",
    "item",
    "group",
    "relevance",
    "priority",
    "pin",
    "must-keep",
    "stage",
    "decision",
    "ratio",
    "fidelity",
    "fill",
    "recall",
    "trough",
    "prefix",
    "breakpoint",
    "value",
    "variant",
    "board",
    "recall-rule",
    "paired",
)


def about(term: str) -> str:
    """The sentence and its source, for the question mark beside a control."""
    return f"{t(f'term.{term}.is')} *{t('term.source', source=t(f'term.{term}.source'))}*"


def draw() -> None:
    with st.container(key="frame_terms", width="content"):
        if st.button(t("term.title"), key="terms.open", type="tertiary", icon=":material/menu_book:"):
            st.dialog(t("term.title"), width="medium")(_all)()


def _all() -> None:
    with st.container(key="terms_list"):
        for term in TERMS:
            st.markdown(f"**{t(f'term.{term}')}** — {about(term)}")
