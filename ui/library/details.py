"""What can be done with a thing: rename, tag, note, duplicate, throw away; compare a prompt's versions."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ui.library.finding import free_name, names
from ui.library.keeping import LONGEST, tags_of
from ui.library.prompts import draw_prompt
from ui.store import ConflictError, Thing
from ui.words import literal, t
from ui.workspace import state
from ui.workspace.owner import owner

CHOSEN = "_library_chosen"


def draw_details(thing: Thing) -> None:
    place = f"{thing.kind}.{thing.name}"
    with st.container(key="library_details", border=True):
        with st.form(f"library.form.{place}", border=False):
            left, right = st.columns([1, 1], gap="small")
            name = left.text_input(t("library.name"), thing.name, max_chars=LONGEST, key=f"library.name.{place}")
            tags = right.text_input(
                t("library.tags"),
                ", ".join(thing.tags),
                key=f"library.tags.{place}",
                placeholder=t("library.tags_hint"),
            )
            note = st.text_area(t("library.note"), thing.note, height=68, key=f"library.note.{place}", max_chars=10_000)
            wanted = _buttons(place)
        if wanted == "save":
            _save(thing, name.strip() or thing.name, tags_of(tags), note.strip())
        elif wanted:
            {"copy": _duplicate, "trash": _throw_away}[wanted](thing)
        if thing.kind == "prompt":
            draw_prompt(thing)


def _save(thing: Thing, name: str, tags: tuple[str, ...], note: str) -> None:
    store = state.store()
    try:
        if (tags, note) != (thing.tags, thing.note):
            store.keep(replace(thing, tags=tags, note=note))
        if name != thing.name:
            store.rename(owner(), thing.kind, thing.name, name)
            st.session_state[CHOSEN] = (thing.kind, name)
    except ConflictError as error:
        st.error(literal(error.told), icon=":material/error:")
        return
    state.notify("library.saved", name=literal(name))
    st.rerun()


def _buttons(place: str) -> str:
    """The one that was pressed."""
    icons = {"save": "check", "copy": "content_copy", "trash": "delete"}
    labels = {"save": t("library.save"), "copy": t("library.duplicate"), "trash": t("library.trash")}
    with st.container(horizontal=True, gap="small", key="library_actions"):
        pressed = [
            name
            for name, icon in icons.items()
            if st.form_submit_button(
                labels[name],
                icon=f":material/{icon}:",
                type="secondary" if name == "save" else "tertiary",
                key=f"library.{name}.{place}",
            )
        ]
    return pressed[0] if pressed else ""


def _duplicate(thing: Thing) -> None:
    copy = free_name(thing.name, names(thing.kind))
    state.store().keep(replace(thing, name=copy, rev=0))
    st.session_state[CHOSEN] = (thing.kind, copy)
    st.rerun()


def _throw_away(thing: Thing) -> None:
    state.store().throw_away(owner(), thing.kind, thing.name)
    state.notify("library.trashed", name=literal(thing.name))
    st.session_state[CHOSEN] = None
    st.rerun()
