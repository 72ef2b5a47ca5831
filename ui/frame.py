"""What surrounds every page: its settings, the top of the sidebar, and a calm word where something fails."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from ctxcore.errors import CtxError
from ui import signs, terms
from ui.words import LANGUAGES, language, literal, t
from ui.workspace import state
from ui.workspace.history_panel import draw_undo

LOGO = Path(__file__).with_name("logo.svg")
STYLE = f"""{signs.STYLE}
[aria-label="Download as CSV"] {{ display: none; }}  /* of tables: its formulas act; ui/tables.py has another */
/* What lies on the accent is white for Streamlit: not to be read where the accent is bright. */
[data-testid^="stBaseButton-primary"]:not(:disabled), [data-testid^="stBaseButton-primary"]:not(:disabled) p,
.stMultiSelect span[title], .stMultiSelect span[title] ~ * {{ color: light-dark(#ffffff, #10131b); }}
"""
GLANCE = 60  # characters that are read in four seconds; a notice covers what is below it
log = logging.getLogger("ctxcore.app")


def leave_pages_folder_alone() -> None:
    """For the server, before the first visit. Streamlit takes a folder `pages` for an older kind of app until it has
    run a script that says otherwise: the first visitor who came by a link to a page would read "Page not found".
    """
    PagesManager.uses_pages_directory = False


def configure() -> None:
    # An emoji and not a Material icon: that one would be fetched from a foreign host.
    st.set_page_config(page_title="ctxcore", page_icon="🧭", layout="wide")
    st.logo(LOGO, size="medium")
    st.html(f"<style>{STYLE}</style>")


@contextmanager
def boundary() -> Iterator[None]:
    """Around everything that may fail, inside fragments too: an error becomes a message, and the rest is drawn."""
    try:
        yield
    except CtxError as error:
        st.error(literal(error.told), title=t("error.told"), icon=":material/info:")
    except Exception as error:
        apologize(error)


def apologize(error: Exception) -> bool:
    """For what nobody foresaw: an id on the screen, the traceback under the same id in the log."""
    number = secrets.token_hex(4)
    log.error("Error %s", number, exc_info=error)
    st.error(t("error.unforeseen", number=number), title=t("error.sorry"), icon=":material/error:")
    return True  # server.py hands this to Streamlit, which then shows nothing of its own


@contextmanager
def sidebar() -> Iterator[None]:
    """The sidebar: language and history on top, then what the caller draws, then what is wrong with the store."""
    with st.sidebar:
        _top()
        try:
            yield
        finally:
            if (trouble := state.store().trouble) is not None:
                st.warning(literal(trouble.told), title=t("state.in_memory"), icon=":material/cloud_off:")


def show_notices() -> None:
    for key, facts in state.take_notices():
        text = t(key, **facts)
        st.toast(text, icon=":material/info:", duration="long" if len(text) > GLANCE else "short")


def _top() -> None:
    with st.container(key="frame_top", horizontal=True, vertical_alignment="center", gap="small"):
        picked = _language()
        terms.draw()
    with st.container(key="frame_steps", horizontal=True, vertical_alignment="center", gap="xxsmall"):
        draw_undo()
    if picked != language():
        state.change(language=picked)
        st.rerun()  # the navigation above is drawn already


def _language() -> str:
    with st.container(key="frame_language", width="content"):
        return st.segmented_control(
            t("frame.language"),
            list(LANGUAGES),
            default=language(),
            format_func=LANGUAGES.__getitem__,
            required=True,
            key=state.key("language"),
            label_visibility="collapsed",
        )
