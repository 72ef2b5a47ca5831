"""Log-in: where the server's secrets name an identity provider (docs/deployment.md), nobody gets in without."""

from __future__ import annotations

import streamlit as st

from ui.signs import sign
from ui.words import literal, t


def is_needed() -> bool:
    return bool(st.secrets.load_if_toml_exists()) and "auth" in st.secrets


def is_missing() -> bool:
    return is_needed() and not st.user.get("is_logged_in")


def draw_welcome() -> None:
    """All that a stranger sees."""
    st.title(t("login.title"), anchor=False)
    st.markdown(t("login.about"))
    with st.container(key="login"):
        if st.button(t("login.in"), icon=":material/login:", type="primary", key="login.in"):
            st.login()


def draw_leave() -> None:
    """In the sidebar: who is logged in, and the way out."""
    if not st.user.get("is_logged_in"):
        return
    with st.container(key="logout", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(literal(str(st.user.get("name") or st.user.get("email") or "")), width="content")
        if sign(":material/logout:", t("login.out"), "login.out", type="tertiary"):
            st.logout()
