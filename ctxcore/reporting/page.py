"""The file around a report: its own style and script, and a policy that allows nothing else, wherever it is opened."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from ctxcore.reporting.markup import Markup, tag
from ctxcore.reporting.palette import ACTIONS, ROOM, SOURCES


def page(title: str, lang: str, body: Markup) -> str:
    """Nothing is fetched, sent or run but the one script whose hash stands in the policy."""
    style, script = _style(), _asset("report.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = (
        '<meta charset="utf-8">'
        + f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        + '<meta name="viewport" content="width=device-width, initial-scale=1">'
        + '<meta name="referrer" content="no-referrer">'
        + tag("title", title)
        + f"<style>{style}</style>"
    )
    body_of = f"<body>{body}\n<script>{script}</script></body>"
    return f'<!doctype html>\n<html lang="{lang}"><head>{head}</head>\n{body_of}</html>'


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _style() -> str:
    """The style sheet behind one class a source and an action: a style in an element is against the policy."""

    def classes(theme: str) -> str:
        shades = {**{f"s-{name}": shade for name, shade in {**SOURCES, **ROOM}.items()}}
        shades |= {f"a-{name}": mark.shade for name, mark in ACTIONS.items()}
        return "".join(f".{name}{{--c:{getattr(shade, theme)}}}" for name, shade in shades.items())

    dark = f"@media screen and (prefers-color-scheme:dark){{{classes('dark')}}}"
    return f"{classes('light')}{dark}\n{_asset('report.css')}"


@cache
def _asset(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")
