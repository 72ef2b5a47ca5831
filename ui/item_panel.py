"""The item that was picked: its story through the stages, its text, a pin, and a change by hand."""

from __future__ import annotations

import streamlit as st

from ctxcore.explaining.remedies import remedies
from ctxcore.explaining.why import ItemStory, story, story_of
from ctxcore.item import Item
from ui import state
from ui.fidelity import draw_fidelity
from ui.looking import Looking, pick
from ui.palette import ACTIONS
from ui.said import says
from ui.scenarios import edit_item, edits_of, take_back_edit
from ui.words import code, literal, number, t

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
            _pin(key, item)
            if st.button(t("item.close"), icon=":material/close:", type="tertiary", key="item.close"):
                pick(None)
                st.rerun()
        told = story_of(look.trace, key)
        _story(told)
        draw_fidelity(look, told)
        if told.end == "lost" and not item.is_media:
            _cures(look, item)
        _text(look, item)


def _pin(key: str, item: Item) -> None:
    pins = state.workspace().pins
    with st.container(key="item_pin", width="content"):
        label, icon = (t("item.unpin"), ":material/keep_off:") if key in pins else (t("item.pin"), ":material/keep:")
        if st.button(
            label,
            icon=icon,
            key="item.pin",
            type="tertiary",
            help=t("item.pin_help"),
            disabled=item.pinned and key not in pins,
        ):
            state.put(pins=tuple(p for p in pins if p != key) if key in pins else (*pins, key))
            st.rerun()


def _story(told: ItemStory) -> None:
    """One line a stage: what was done, by which rule, with the numbers."""
    with st.container(key="item_story", gap="xxsmall"):
        for event in told.events:
            d = event.decision
            mark = ACTIONS[str(d.action)].glyph
            tokens = number(d.after) if d.before == d.after else f"{number(d.before)} → {number(d.after)}"
            st.markdown(
                f"{literal(mark)} **{literal(event.stage)}** · {d.action} · {code(d.rule)} · {tokens}  \n"
                f"{literal(says(d.rule, d.facts))}"
            )
        st.caption(t(f"item.end.{told.end}", message=told.message if told.message is not None else "–"))


def _text(look: Looking, item: Item) -> None:
    stage, text = look.snapshot.name, item.text
    there = any(one.id == item.id for one in look.snapshot.items)
    made = next((edit for edit in edits_of(state.workspace()) if (edit.stage, edit.item) == (stage, item.id)), None)
    last = look.at == len(look.trace.snapshots) - 1
    if not there or item.is_media or item.calls or len(text) > EDITABLE or last or stage.startswith("edit-"):
        st.code(text[:SHOWN], language=None, wrap_lines=True, height=220 if len(text) > 400 else "content")
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


def _cures(look: Looking, item: Item) -> None:
    """What would bring a lost item back, worked out by running the build again: asked for with a click."""
    with st.container(key="item_cures"):
        if not st.toggle(t("item.cures"), key=f"cures.{item.id}"):
            return
        found = [
            one
            for one in remedies(look.trace.scenario, look.trace, story(look.trace, item.text))
            if one.rule != "remedy-pin"
        ]
        if not found:
            st.caption(t("item.no_cure"))
        for one in found:
            st.markdown(literal(says(one.rule, one.facts)))
            if st.button(t("item.apply"), icon=":material/healing:", key=f"cure.{one.rule}"):
                state.put(window=int(one.facts["window"]), reserve=look.trace.budget.reserve)
                st.rerun()
