"""What is shared of a talk: a link to the screen that is shown, and the run on it."""

from __future__ import annotations

import streamlit as st

from ui.sharing.files import draw_files, files_of
from ui.sharing.links import Link, draw_link
from ui.talks.all import OWN
from ui.talks.place import SCREEN, TALK
from ui.talks.screen import Talk
from ui.words import literal, t
from ui.workspace import state


def fill(name: str, shown: Talk, at: int) -> None:
    """The talk of one's own scenario needs the workspace in its link; of the others the address says all."""
    st.caption(t("share.what_talk", title=literal(shown.title), at=at + 1, all=len(shown.screens)))
    draw_link(Link(state.workspace() if name == OWN else None, more={TALK: name, SCREEN: str(at + 1)}))
    draw_files(t("share.files_screen"), name, *files_of(shown.screens[at].run()))
