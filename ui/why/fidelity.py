"""What a compression kept of the picked item: counts in a line, and the original with the losses marked.

Worked out for the picked item alone, when its panel is drawn.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ctxcore.auditing.audit import Audit, audit
from ctxcore.auditing.of_decision import SHORTENS, texts_of
from ctxcore.explaining.why import ItemStory
from ui.components import Marked, marked_text
from ui.looking import Looking
from ui.said import says
from ui.words import literal, t

SHOWN = 20_000  # characters of a text that are drawn


def draw_fidelity(look: Looking, told: ItemStory) -> None:
    """One fold for each stage that shortened it. Of an item that went into a summary: what the summary holds of it."""
    for event in told.events:
        decision = event.decision
        snapshot = next((one for one in look.trace.snapshots if one.name == event.stage), None)
        if snapshot is None or decision.action not in SHORTENS:
            continue
        before, after = texts_of(snapshot, decision)
        if told.item != decision.item:
            before = next((item.text for item in snapshot.before.items if item.id == told.item), before)
        with st.container(key=f"item_fidelity_{event.stage}", gap="xxsmall"):
            _draw(look, event.stage, (before, after), audit(before, after))


def _draw(look: Looking, stage: str, texts: tuple[str, str], found: Audit) -> None:
    st.markdown(f"**{literal(t('item.fidelity', stage=stage))}**", help=t("item.fidelity_help"))
    for rule, facts in found.says():
        icon = ":material/warning: " if rule in ("fidelity-added", "fidelity-flips") else ""
        st.markdown(icon + literal(says(rule, facts)))
    for (side, marks), text in zip(_marks(found).items(), texts, strict=True):
        marks = [mark for mark in marks if mark.end <= SHOWN]
        if marks:
            st.caption(t(f"item.fidelity_{side}"))
            marked_text(text[:SHOWN], marks, replace(look.mount(f"fidelity.{stage}.{side}"), height=220))


def _marks(found: Audit) -> dict[str, list[Marked]]:
    """In the original what is lost, in the shorter text what is new; what was turned where it was denied."""
    turned = {
        change: [Marked(flip.fact.start, flip.fact.end, "flipped") for flip in found.flips if flip.change == change]
        for change in ("dropped", "added")
    }
    lost = [Marked(fact.start, fact.end, "lost") for fact in found.lost]
    added = [Marked(fact.start, fact.end, "added") for fact in found.added]
    return {"original": [*turned["dropped"], *lost], "shorter": [*turned["added"], *added]}
