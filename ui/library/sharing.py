"""What is shared of the library: one thing, as a link that opens a copy, and as a file that any library takes in."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ui.library import bundle
from ui.library.kinds import KINDS, view_of
from ui.sharing.files import File, draw_files
from ui.sharing.links import Link, draw_link
from ui.store import Thing
from ui.words import t
from ui.workspace import state


def fill(things: Sequence[Thing]) -> None:
    st.caption(t("share.what_thing" if things else "share.what_nothing"))
    if not things:
        return
    one = things[_picked(things)]
    opened, page = view_of(one, state.workspace()), KINDS[one.kind].page.rpartition("/")[2].removesuffix(".py")
    if opened is None:
        st.caption(t("share.no_link"))
    else:
        draw_link(Link(opened, page="" if page == "playground" else page))
    store = state.store()
    whole = File("thing", lambda: bundle.write([one], store), "zip", "application/zip", "folder_zip")
    draw_files(t("share.files_thing"), "ctxcore-library", whole)


def _picked(things: Sequence[Thing]) -> int:
    labels = [f"{t(f'library.kind.{one.kind}')} · {one.name}" for one in things]
    with st.container(key="share_thing_pick"):
        at: int = st.selectbox(
            t("share.thing_pick"),
            range(len(labels)),
            format_func=labels.__getitem__,
            key="share.thing.pick",
            label_visibility="collapsed",
        )
    return at
