"""Export and import of the whole library: one file out, one file in, and what became of each thing."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ctxcore.errors import CtxError
from ui.library import bundle
from ui.library.taking import Taken, take
from ui.signs import sign
from ui.store import Thing
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.owner import owner

DROPS, TOLD = "_library_drops", "_library_taken"  # of the session
SHOWN = 20  # names of a list


def draw_carrying(things: Sequence[Thing]) -> None:
    store = state.store()
    with st.container(key="library_export", width="content"):
        st.download_button(
            t("library.export"),
            lambda: bundle.write(things, store),
            "ctxcore-library.zip",
            "application/zip",
            icon=":material/download:",
            disabled=not things,
            on_click="ignore",
            type="tertiary",
            key="library.export",
            help=t("library.export_help"),
        )
    with st.container(key="library_import", width="content"):
        key = f"library.import.{st.session_state.setdefault(DROPS, 0)}"  # another panel each time, which is closed
        panel = st.popover(t("library.import"), icon=":material/upload:", type="tertiary", key=key)
        with panel:
            _take_in()


def _take_in() -> None:
    key = f"library.drop.{st.session_state[DROPS]}"
    file = st.file_uploader(t("library.drop"), type="zip", key=key, max_upload_size=50)
    if file is None:
        return
    st.session_state[DROPS] += 1  # a new uploader: the same file would be taken in with every run
    try:
        st.session_state[TOLD] = take(bundle.unpacked(file.getvalue()), state.store(), owner())
    except CtxError as error:
        st.session_state[TOLD] = error.told
    st.rerun()


def say_taken() -> None:
    """What the last import did, until it is closed."""
    taken = st.session_state.get(TOLD)
    if taken is None:
        return
    with st.container(key="library_taken", horizontal=True, vertical_alignment="top"):
        if isinstance(taken, Taken):
            (st.warning if taken.refused else st.success)(_said(taken), icon=":material/inventory_2:")
        else:
            st.error(literal(taken), title=t("library.not_taken"), icon=":material/error:")
        with st.container(key="library_taken_close", width="content"):
            closed = sign(":material/close:", t("library.close"), "library.taken.close", type="tertiary")
    if closed:
        del st.session_state[TOLD]
        st.rerun()


def _said(taken: Taken) -> str:
    facts = {name: number(len(getattr(taken, name))) for name in ("new", "same", "refused")}
    lines = [t("library.taken", **facts)]
    lines += [f"- {literal(old)} → {literal(new)}" for old, new in taken.renamed[:SHOWN]]
    lines += [f"- :red[{literal(name)}]: {literal(why)}" for name, why in taken.refused[:SHOWN]]
    return "\n".join([lines[0], "", *lines[1:]])
