"""Work that is not kept under a name: the last workspaces of this browser, each to go on with."""

from __future__ import annotations

import streamlit as st

from ui.library.listing import when
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

SHOWN = 8


def draw_recent() -> None:
    here = state.id_of_tab()
    others = [saved for saved in state.store().recent(owner()) if saved.id != here][:SHOWN]
    if not others:
        return
    with st.expander(t("library.recent", count=number(len(others))), icon=":material/history:", key="library.recent"):
        for at, saved in enumerate(others):
            kept = Workspace.from_plain(saved.settings["workspace"])
            steps = len(saved.settings.get("history", {}).get("steps", ()))
            with st.container(key=f"library_recent_{at}", horizontal=True, vertical_alignment="center", gap="small"):
                name = literal(kept.scenario or "–")
                wanted = st.button(
                    name, icon=":material/folder_open:", type="tertiary", key=f"library.recent.{saved.id}"
                )
                facts = f"{kept.system} {kept.variant} · {t('control.window')} {number(kept.window)}"
                st.caption(f"{facts} · {t('library.steps', count=steps)}", width="content")
                st.space("stretch")
                st.caption(when(saved.updated), width="content")
            if wanted:
                state.leave()
                st.switch_page("pages/debug/playground.py", query_params={"ws": saved.id})
