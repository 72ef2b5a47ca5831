"""Whose workspace is it? Who is logged in; or the browser, by server.py's cookie; or the one local owner."""

from __future__ import annotations

import hashlib
import os
import re
import secrets

import streamlit as st

COOKIE = "ctxcore_owner"
SECRET = re.compile(r"[A-Za-z0-9_-]{24,64}")
EXPECTED = "CTXCORE_OWNER_COOKIE"  # set by server.py in its own process
LOCAL = "local"


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def owner() -> str:
    """The store knows owners by a hash: who reads the database cannot take a cookie from it."""
    if st.user.get("is_logged_in"):  # the same one on every device
        return _known_as(f"{st.user.get('iss')} {st.user.get('sub')}")
    cookie = st.context.cookies.get(COOKIE)
    if isinstance(cookie, str) and SECRET.fullmatch(cookie):
        return _known_as(cookie)
    if os.environ.get(EXPECTED):  # a browser that refuses cookies: alone with itself, for as long as the tab lives
        return _known_as(st.session_state.setdefault("_owner_secret", new_secret()))
    return LOCAL


def _known_as(secret: str) -> str:
    return hashlib.blake2b(secret.encode(), digest_size=20).hexdigest()
