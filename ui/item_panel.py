"""The item that was picked: its story through the stages, its text, a pin, and a change by hand."""

from __future__ import annotations

import streamlit as st

from ctxcore.explaining.why import story_of
from ctxcore.item import Item
from ui.looking import Looking, pick
from ui.sources.scenarios import edit_item, edits_of, take_back_edit
from ui.sources.thumbnails import draw_item_picture
from ui.why.fidelity import draw_fidelity
from ui.why.marks import draw_marks
from ui.why.sought import PAGE, seek
from ui.why.story import draw_events
from ui.words import code, number, t
from ui.workspace import state

SHOWN = 20_000  # characters of one item that are shown
EDITABLE = 60_000


def draw_item(look: Looking) -> None:
    key = look.picked
    if key is None:
        return
    item = look.every_item[key]
    with st.container(border=True, key="item_panel"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(code(key), width="content")
            st.caption(
                t("item.about", source=str(item.source), role=item.role, tokens=number(item.tokens)), width="content"
            )
            st.space("stretch")
            _why(key)
            if st.button(t("item.close"), icon=":material/close:", type="tertiary", key="item.close"):
                pick(None)
                st.rerun()
        told = story_of(look.trace, key)
        draw_marks(look.trace, item, lost=told.end == "lost")
        with st.container(key="item_story", gap="xxsmall"):
            draw_events(told)
            st.caption(t(f"item.end.{told.end}", message=told.message if told.message is not None else "–"))
        draw_fidelity(look, told)
        _text(look, item)


def _why(key: str) -> None:
    with st.container(key="item_why", width="content"):
        if st.button(t("item.why"), icon=":material/help:", key="item.why", type="tertiary", help=t("item.why_help")):
            seek(key)
            st.switch_page(PAGE)


def _text(look: Looking, item: Item) -> None:
    stage, text = look.snapshot.name, item.text
    draw_item_picture(item)
    there = any(one.id == item.id for one in look.snapshot.items)
    made = next((edit for edit in edits_of(state.workspace()) if (edit.stage, edit.item) == (stage, item.id)), None)
    last = look.at == len(look.trace.snapshots) - 1
    if not there or item.is_media or item.calls or len(text) > EDITABLE or last or stage.startswith("edit-"):
        st.code(text[:SHOWN], language=None, wrap_lines=True, height=220 if len(text) > 400 else "content")
        if item.said:
            st.caption(t("item.said"))
            st.text(item.said)
        _of_this_stage(look, item)
        return
    said = made.text if made else text
    with st.container(key="item_text"):
        new = st.text_area(
            t("item.text", stage=stage),
            said,
            height=220,
            key=state.key("edits", stage, item.id),
            help=t("item.edit_help"),
        )
    if new != said:
        edit_item(stage, item.id, new)
        st.rerun()
    if made:
        _take_back(stage, item.id)


def _of_this_stage(look: Looking, item: Item) -> None:
    """Standing on an edit of this item, it can be taken back there as well."""
    name = look.snapshot.name
    edits = edits_of(state.workspace())
    if (
        name.startswith("edit-")
        and (at := int(name.removeprefix("edit-")) - 1) < len(edits)
        and edits[at].item == item.id
    ):
        _take_back(edits[at].stage, item.id)


def _take_back(stage: str, item: str) -> None:
    with st.container(key="item_take_back"):
        if st.button(t("item.take_back"), icon=":material/undo:", type="tertiary", key="item.take_back"):
            take_back_edit(stage, item)
            st.rerun()
