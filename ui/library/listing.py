"""The list: one row a thing, opened by a click on its name; what can be done with it opens beneath."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from ctxcore.errors import CtxError
from ui.library.details import draw_details
from ui.library.kinds import KINDS, open_thing, told
from ui.signs import sign
from ui.store import Thing
from ui.words import badge, literal, number, t
from ui.workspace import state
from ui.workspace.owner import owner

PAGE = 30  # rows at first, and with each click on more
SHOWN, CHOSEN = "_library_shown", "_library_chosen"  # of the session: how many rows; kind and name of the open one


def draw_list(things: Sequence[Thing], trashed: bool) -> None:
    shown = st.session_state.get(SHOWN, PAGE)
    with st.container(key="library_list", gap="xsmall"):
        for at, thing in enumerate(things[:shown]):
            _row(thing, at, trashed)
    if len(things) > shown and st.button(
        t("library.more", count=number(len(things) - shown)), type="tertiary", key="library.more"
    ):
        st.session_state[SHOWN] = shown + PAGE
        st.rerun()


def _row(thing: Thing, at: int, trashed: bool) -> None:
    chosen = st.session_state.get(CHOSEN) == (thing.kind, thing.name)
    with st.container(key=f"library_row_{at}", horizontal=True, vertical_alignment="center", gap="small"):
        opened = st.button(
            literal(thing.name),
            icon=f":material/{KINDS[thing.kind].icon}:",
            type="tertiary",
            disabled=trashed,
            key=f"library.open.{thing.kind}.{thing.name}",
            help=t("library.open", kind=t(f"library.kind.{thing.kind}")),
        )
        if not trashed:
            _more_button(thing, chosen)
        st.caption(literal(told(thing)), width="content")
        for tag in thing.tags:
            st.markdown(badge(tag, "gray"), width="content")
        st.space("stretch")
        st.caption(when(thing.updated), width="content")
        if trashed:
            _trash_buttons(thing)
    if opened:
        go_to(thing)
    if chosen and not trashed:
        draw_details(thing)


def _more_button(thing: Thing, chosen: bool) -> None:
    icon, key = f":material/{'expand_less' if chosen else 'more_horiz'}:", f"library.more.{thing.kind}.{thing.name}"
    if sign(icon, t("library.details"), key, of=thing.name, type="tertiary"):
        st.session_state[CHOSEN] = None if chosen else (thing.kind, thing.name)
        st.rerun()


def go_to(thing: Thing) -> None:
    try:
        open_thing(thing)
    except (CtxError, KeyError, TypeError) as error:
        why = error.told if isinstance(error, CtxError) else str(error)
        state.notify("library.cannot_open", name=literal(thing.name), why=literal(why))
        st.rerun()
    state.notify("library.opened", name=literal(thing.name))
    st.switch_page(KINDS[thing.kind].page)


def _trash_buttons(thing: Thing) -> None:
    if st.button(t("library.restore"), icon=":material/restore:", key=f"library.restore.{thing.kind}.{thing.name}"):
        state.store().restore(owner(), thing.kind, thing.name)
        state.notify("library.restored", name=literal(thing.name))
        st.rerun()
    if st.button(
        t("library.erase"),
        icon=":material/delete_forever:",
        type="tertiary",
        key=f"library.erase.{thing.kind}.{thing.name}",
    ):
        state.store().erase(owner(), thing.kind, thing.name)
        st.rerun()


def when(seconds: float) -> str:
    """Where the reader is."""
    zone = st.context.timezone
    try:
        here = ZoneInfo(zone) if isinstance(zone, str) else UTC
    except (ZoneInfoNotFoundError, ValueError):
        here = UTC
    return f"{datetime.fromtimestamp(seconds, here):%Y-%m-%d %H:%M}"
