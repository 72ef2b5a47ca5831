"""What is remembered of this user, in every scenario: to read, edit, take along, and delete for good."""

from __future__ import annotations

import json

import streamlit as st

from ctxcore.services import Counter
from ui.signs import sign
from ui.sources import memory
from ui.store.shelf import Thing
from ui.words import number, t
from ui.workspace import state


def draw_remembered(kind: str, counter: Counter) -> None:
    """Below the scenario's own: these are loaded at the start of every build of this user, and ranked."""
    things = memory.all_of(kind)
    st.subheader(t("memory.title"), anchor=False)
    st.caption(t("memory.about"))
    with st.form(f"memory_new_{kind}", clear_on_submit=True, border=False):
        text = st.text_area(t("memory.new"), height=68, key=f"memory.new.{kind}", max_chars=2_000)
        sent = st.form_submit_button(t("sources.add"), icon=":material/add:", key=f"memory.add.{kind}")
    if sent and text.strip():
        memory.remember(kind, text)
        st.rerun()
    for thing in things:
        _one(thing, counter)
    if things:
        _all(kind, things)


def _one(thing: Thing, counter: Counter) -> None:
    text = str(thing.body.get("text", ""))
    with st.container(border=True, key=f"memory_{thing.name}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(thing.name, width="content")
            st.caption(t("sources.tokens", shown=number(counter.count(text))), width="content")
            st.space("stretch")
            key = f"memory.forget.{thing.name}"
            gone = sign(":material/delete:", t("memory.forget"), key, of=thing.name, type="tertiary")
        new = st.text_area(
            t("sources.text"),
            text,
            height=68,
            key=f"memory.text.{thing.name}.{thing.rev}",
            label_visibility="collapsed",
        )
    if gone:
        memory.forget(thing)
        state.notify("memory.forgotten")
        st.rerun()
    if new != text:
        memory.change(thing, new)
        st.rerun()


def _all(kind: str, things: tuple[Thing, ...]) -> None:
    with st.container(key=f"memory_all_{kind}", horizontal=True):
        st.download_button(
            t("memory.export"),
            lambda: json.dumps(memory.exported(), ensure_ascii=False, indent=1).encode("utf-8", "replace"),
            file_name="memory.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key=f"memory.export.{kind}",
        )
        if st.button(
            t("memory.forget_all", count=len(things)),
            icon=":material/delete_forever:",
            type="tertiary",
            key=f"memory.forget_all.{kind}",
        ):
            memory.forget(*things)
            state.notify("memory.forgotten")
            st.rerun()
