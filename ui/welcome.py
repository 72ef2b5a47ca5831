"""The first minute: what there is to do, one sentence each, until it is closed. Who comes by a link does not see it."""

from __future__ import annotations

import streamlit as st

from ui.words import t
from ui.workspace import state

STEPS = {"window": "width", "stage": "conversion_path", "own": "upload_file"}


def draw() -> None:
    if not st.session_state.get(state.WELCOME):
        return
    with st.container(border=True, key="welcome", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{t('welcome.title')}**")
            st.space("stretch")
            if st.button(t("welcome.close"), icon=":material/close:", type="tertiary", key="welcome.close"):
                st.session_state[state.WELCOME] = False
                st.rerun()
        for column, (name, icon) in zip(st.columns(len(STEPS)), STEPS.items(), strict=True):
            column.markdown(f":material/{icon}: {t(f'welcome.{name}')}")
        with st.container(horizontal=True, gap="medium"):
            st.page_link("pages/show/present.py", label=t("welcome.tour"), icon=":material/slideshow:")
            st.page_link("pages/debug/sources.py", label=t("welcome.bring"), icon=":material/upload_file:")
