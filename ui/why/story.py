"""The story of a text: its lights, what each stage did to its items, what summaries still say, where it lies."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ctxcore.explaining.why import ItemStory
from ctxcore.trace import Trace
from ui.looking import pick
from ui.palette import ACTIONS
from ui.said import says
from ui.words import badge, code, literal, number, t
from ui.workspace import state

LIGHTS = {"kept": ("green", "kept"), "partly": ("orange", "compressed"), "lost": ("red", "dropped")}
PLAYGROUND = "pages/debug/playground.py"


def draw_lights(lights: Sequence[tuple[str, str]]) -> None:
    """Stage by stage: still there word for word, in part, or gone."""
    for stage, light in lights:
        colour, fate = LIGHTS[light]
        told = badge(f"{ACTIONS[fate].glyph} {stage}", colour)
        st.markdown(told, width="content", help=t(f"why.light.{light}"))


def draw_events(told: ItemStory) -> None:
    """One line a stage: what was done, by which rule, with the numbers."""
    for event in told.events:
        d = event.decision
        mark = ACTIONS[str(d.action)].glyph
        tokens = number(d.after) if d.before == d.after else f"{number(d.before)} → {number(d.after)}"
        st.markdown(
            f"{literal(mark)} **{literal(event.stage)}** · {t(f'draw.fate.{d.action}')} · {code(d.rule)} · {tokens}  \n"
            f"{literal(says(d.rule, d.facts))}"
        )


def draw_story(trace: Trace, told: ItemStory) -> None:
    with st.container(border=True, key=f"why_story_{told.item}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(code(told.item), width="content")
            st.space("stretch")
            if st.button(t("why.see"), icon=":material/visibility:", type="tertiary", key=f"why.see.{told.item}"):
                _see(told)
        draw_events(told)
        if told.pieces:
            st.caption(t("why.pieces", item=literal(told.inside)))
            for piece in told.pieces:
                st.markdown(f"> {literal(' '.join(piece.split()))}")
        st.caption(_end(trace, told))


def _end(trace: Trace, told: ItemStory) -> str:
    """Where it lies in the payload, or where it died."""
    if told.end == "lost" or told.message is None:
        gone = next((event.stage for event in reversed(told.events) if event.decision.after == 0), "–")
        return t("why.died", stage=literal(gone))
    span = next((span for span in trace.spans if span.item == told.inside), None)
    if span is None:
        return t(f"item.end.{told.end}", message=told.message)
    share = f"{100 * span.start / max(1, trace.totals.total):.0f}"
    return t("why.place", message=told.message, start=number(span.start), end=number(span.end), share=share)


def _see(told: ItemStory) -> None:
    """In the Playground, at the stage where it left, or at the last."""
    gone = next((event.stage for event in reversed(told.events) if event.decision.after == 0), "")
    pick(told.item)
    state.put(stage=gone, view="items" if gone else "prompt")
    st.switch_page(PLAYGROUND)
