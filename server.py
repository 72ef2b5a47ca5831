"""The app behind its headers, compression and owner cookie: `streamlit run server.py`, as `make run` does."""

from __future__ import annotations

import os
from http.cookies import CookieError, SimpleCookie
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from ui import frame
from ui.workspace import owner

# No script, font or picture from elsewhere, and none that a text brings along. blob: is where Streamlit puts the
# scripts of components; styles are set inline by Streamlit itself.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
YEAR = 365 * 24 * 3600  # seconds


class Guard:
    """Adds the headers to every answer, and the owner's cookie to every page."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*_without(message["headers"]), *HEADERS, *_cookie(scope, message["headers"])]
            await send(message)

        await self.app(scope, receive, guarded)


def _without(headers: Any) -> list[Any]:
    ours = {name for name, _ in HEADERS}
    return [header for header in headers if header[0].lower() not in ours]


def _cookie(scope: Any, headers: Any) -> list[tuple[bytes, bytes]]:
    """Set anew with every page, so that it lasts a year from the last visit."""
    if not dict(headers).get(b"content-type", b"").startswith(b"text/html"):
        return []
    secret = _given(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1")) or owner.new_secret()
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    cookie = f"{owner.COOKIE}={secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age={YEAR}{secure}"
    return [(b"set-cookie", cookie.encode())]


def _given(cookies: str) -> str:
    try:
        morsel = SimpleCookie(cookies).get(owner.COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel and owner.SECRET.fullmatch(morsel.value) else ""


os.environ[owner.EXPECTED] = "1"
frame.leave_pages_folder_alone()
app = st.App(
    "app.py",
    middleware=[Middleware(Guard), Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)],
    on_script_error=frame.apologize,
)
