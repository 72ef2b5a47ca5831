"""The button Share in the sidebar: the page that is shown fills its panel."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ctxcore.errors import CtxError
from ui.words import literal, t


def draw_share(fill: Callable[[], None]) -> None:
    """`fill` runs while the panel is open: what is shared says so there."""
    with st.container(key="frame_share", width="content"):
        icon = ":material/ios_share:"
        panel = st.popover(t("share.title"), icon=icon, type="tertiary", key="share", on_change="rerun")
    if not panel.open:
        return
    with panel:
        try:
            fill()
        except CtxError as error:
            st.caption(literal(error.told))
