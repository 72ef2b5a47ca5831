"""Buttons that show a sign alone. Their words are there all the same: a screen reader says them, and the pointer shows
them as help; only the eye is spared (ui/frame.py draws the style)."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.words import literal

# Streamlit would have a label of an icon alone be read as "close icon".
STYLE = """
[class*="st-key-sign_"] button [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
"""


def sign(icon: str, label: str, key: str, of: str = "", **more: Any) -> bool:
    """`of`: the thing that it acts on, where a page has several of these buttons. A user's text is shown as a text."""
    with st.container(key=f"sign_{key}", width="content"):
        return st.button(_said(label, of), icon=icon, help=label, key=key, **more)


def sign_panel(icon: str, label: str, key: str, of: str = "", **more: Any) -> Any:
    """A popover behind a sign."""
    with st.container(key=f"sign_{key}", width="content"):
        return st.popover(_said(label, of), icon=icon, help=label, key=key, **more)


def _said(label: str, of: str) -> str:
    return f"{label}: {literal(of)}" if of else label
