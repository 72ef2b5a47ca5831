"""All views by name, in the order of the menu."""

from __future__ import annotations

import streamlit as st

from ui import state
from ui.looking import Draw
from ui.views import ask, diff, findings, growth, items, layout, messages, prompt, treemap
from ui.words import t

VIEWS: dict[str, Draw] = {
    "items": items.draw,
    "prompt": prompt.draw,
    "messages": messages.draw,
    "treemap": treemap.draw,
    "layout": layout.draw,
    "diff": diff.draw,
    "findings": findings.draw,
    "growth": growth.draw,
    "ask": ask.draw,
}


def pick_view(now: str) -> str:
    """The view to draw; the pick is kept in the workspace."""
    labels = {name: t(f"view.{name}") for name in VIEWS}
    with st.container(key="view_pick", width="content"):
        view = st.segmented_control(
            t("view.pick"),
            list(VIEWS),
            default=now if now in VIEWS else "items",
            required=True,
            format_func=labels.__getitem__,
            key=state.key("view"),
            label_visibility="collapsed",
            wrap=True,
        )
    state.change(view=view)
    return str(view)
