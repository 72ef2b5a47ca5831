"""The ledger of a stage: every item with its fate, the rule, the reason and the numbers."""

from __future__ import annotations

from collections import Counter
from functools import partial

import streamlit as st

from ctxcore.decision import Action, Decision
from ctxcore.explaining.why import holds, story_of
from ctxcore.item import Item
from ctxcore.words import sentence
from ui.components import ItemRow, excerpt, item_list
from ui.exports import ledger_csv
from ui.looking import Looking, pick
from ui.said import says
from ui.stages.steps import LOSSES
from ui.words import language, number, t
from ui.workspace import baseline, state

# What changed comes first: kept items are the many.
FIRST = {
    Action.DROPPED: 0,
    Action.COMPRESSED: 1,
    Action.TRUNCATED: 2,
    Action.REWRITTEN: 3,
    Action.ADDED: 4,
    Action.KEPT: 5,
}
SHOWN = 6  # matches elsewhere


def draw(look: Looking) -> None:
    items = {item.id: item for item in (*look.snapshot.before.items, *look.snapshot.items)}
    decisions = [decision for decision in look.snapshot.decisions if decision.item in items]
    shown = _filtered(decisions, items)
    text = str(st.session_state.get("items.find") or "")
    moved = {d.item for d in decisions if d.action is Action.MOVED}
    flips = baseline.flips(look.trace)
    told = [decision for decision in shown if decision.action is not Action.MOVED]
    told.sort(key=lambda decision: FIRST.get(decision.action, len(FIRST)))
    spoken = language()
    rows = [_row(d, items[d.item], d.item in moved, text, flips.get(d.item, ""), spoken) for d in told]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(t("items.shown", shown=number(len(rows)), all=number(len(look.decided))), width="content")
        st.space("stretch")
        with st.container(key="items_csv", width="content"):
            st.download_button(
                t("items.csv"),
                partial(ledger_csv, look.trace, language()),
                "ledger.csv",
                "text/csv",
                icon=":material/download:",
                type="tertiary",
                key="items.csv",
                on_click="ignore",
            )
    if not rows:
        _elsewhere(look)
    with st.container(key="view_items"):
        item_list(rows, look.mount("items", 520), mark=text)


def _elsewhere(look: Looking) -> None:
    """What is searched for and is no longer here: where it went, in one click."""
    text = str(st.session_state.get("items.find") or "")
    if not text:
        return
    for item in [item for item in look.trace.inputs if holds(item.text, text)][:SHOWN]:
        found = story_of(look.trace, item.id)
        gone = next((event for event in found.events if event.decision.action in LOSSES), None)
        if gone and st.button(
            t("items.gone", item=item.id, stage=gone.stage),
            icon=":material/arrow_back:",
            type="tertiary",
            key=f"gone.{item.id}",
        ):
            pick(item.id)
            state.put(stage=gone.stage)
            st.rerun()


def _filtered(decisions: list[Decision], items: dict[str, Item]) -> list[Decision]:
    fates, sources, rules = (
        Counter(values)
        for values in (
            (str(d.action) for d in decisions),
            (str(items[d.item].source) for d in decisions),
            (d.rule for d in decisions),
        )
    )
    with st.container(key="items_filter", horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(key="items_find"):
            text = st.text_input(
                t("items.find"),
                key="items.find",
                placeholder=t("items.find_hint"),
                live=True,
                label_visibility="collapsed",
            )
        fate = _pick("fate", fates)
        source = _pick("source", sources)
        rule = _pick("rule", rules)
    return [
        d
        for d in decisions
        if (not fate or d.action in fate)
        and (not source or items[d.item].source in source)
        and (not rule or d.rule in rule)
        and (not text or text in d.item or holds(items[d.item].text, text) or holds(says(d.rule, d.facts), text))
    ]


def _pick(name: str, counts: Counter[str]) -> list[str]:
    labels = {value: f"{value} · {number(count)}" for value, count in counts.items()}
    with st.container(key=f"items_{name}"):
        return st.multiselect(
            t(f"items.{name}"),
            list(counts),
            format_func=lambda value: labels.get(value, value),
            key=f"items.{name}",
            placeholder=t(f"items.{name}"),
            label_visibility="collapsed",
        )


def _row(decision: Decision, item: Item, moved: bool, sought: str, flip: str, spoken: str) -> ItemRow:
    reason = sentence(decision.rule, decision.facts, spoken)
    return ItemRow(
        decision.item,
        str(item.source),
        str(decision.action),
        decision.rule,
        f"{flip} {reason}" if flip else reason,
        decision.before,
        decision.after,
        pinned=item.pinned,
        group=item.group or "",
        moved=moved,
        preview=excerpt(item.text, sought),
    )
