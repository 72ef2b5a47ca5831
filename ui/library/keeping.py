"""Keep: the present scenario, run, comparison or prompt under a name, from where it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from ui.library.finding import free_name
from ui.store import ConflictError, Thing
from ui.words import literal, t
from ui.workspace import state
from ui.workspace.owner import owner

LONGEST, MOST_TAGS = 120, 12  # characters of a name; tags of a thing
DONE = "_keep_done"  # of the session: how often something was kept; the next panel is a new one, which is closed


def draw_keep(kind: str, suggested: str, body: Callable[[], Mapping[str, Any]]) -> None:
    """A button that asks for a name. `body` is made when it is pressed."""
    label, key = t(f"library.keep.{kind}"), f"keep.{kind}.{st.session_state.get(DONE, 0)}"
    with st.container(key=f"keep_{kind}", width="content"):
        panel = st.popover(label, icon=":material/bookmark_add:", type="tertiary", key=key, on_change="rerun")
        if not panel.open:
            return
        with panel:
            _form(kind, suggested, body)


def _form(kind: str, suggested: str, body: Callable[[], Mapping[str, Any]]) -> None:
    known = {thing.name: thing for thing in state.store().things(owner(), kind)}
    at_first = free_name(suggested, list(known))
    name = st.text_input(t("library.name"), at_first, max_chars=LONGEST, key=f"keep.{kind}.name.{at_first}").strip()
    tags = st.text_input(t("library.tags"), max_chars=200, key=f"keep.{kind}.tags", placeholder=t("library.tags_hint"))
    if name in known:
        st.caption(t("library.replaces"))
    if st.button(t("library.keep"), type="primary", disabled=not name, key=f"keep.{kind}.button"):
        keep(kind, name, body(), tags_of(tags))
        st.session_state[DONE] = st.session_state.get(DONE, 0) + 1
        st.rerun()


def keep(kind: str, name: str, body: Mapping[str, Any], tags: tuple[str, ...] = ()) -> None:
    """Under its name; one of that name is replaced, one in the trash too."""
    there = state.store().thing(owner(), kind, name)
    thing = Thing(owner(), kind, name, body, there.rev if there else 0, tags or (there.tags if there else ()))
    try:
        state.store().keep(thing)
    except ConflictError as error:
        state.notify("library.not_kept", why=literal(error.told))
        return
    state.notify("library.kept", name=literal(name), kind=t(f"library.kind.{kind}"))


def tags_of(typed: str) -> tuple[str, ...]:
    """Words between commas or after "#"."""
    parts = typed.replace("#", ",").split(",")
    return tuple(dict.fromkeys(part.strip()[:40] for part in parts if part.strip()))[:MOST_TAGS]
