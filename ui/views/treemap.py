"""The window as a treemap: every item in its place at all stages, what left as a ghost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from ctxcore.counting.tokens import counter_for
from ctxcore.decision import Action
from ctxcore.item import Call, Item, Part, Result, Text, shown
from ctxcore.running import Snapshot
from ctxcore.trace import Trace
from ui.components import Tile, Window, room_tiles, treemap
from ui.exports import treemap_page
from ui.looking import Looking
from ui.one_of import one_of
from ui.said import says
from ui.stages.steps import names_of
from ui.words import t
from ui.workspace import baseline

COLOURS = ("source", "fate", "relevance", "change")


def draw(look: Looking) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        labels, place = {name: t(f"treemap.{name}") for name in COLOURS}, "treemap_colour"
        colour = one_of(labels, "source", label=t("treemap.colour"), place=place, key="treemap.colour", width="content")
        before = _before(look) if colour == "change" else {}
        st.space("stretch")
        with st.container(key="treemap_page", width="content"):
            st.download_button(
                t("treemap.page"),
                partial(treemap_page, look),
                "treemap.html",
                "text/html",
                icon=":material/download:",
                type="tertiary",
                key="treemap.page",
                on_click="ignore",
            )
    with st.container(key="view_treemap"):
        treemap(tiles(look, before), look.mount("treemap", 520), window=look.trace.budget.window, colour=colour)


def _before(look: Looking) -> Mapping[str, int]:
    """What is compared with: the baseline, where one is set, or an earlier stage. Item → tokens."""
    then = baseline.baseline()
    names = [*([t("baseline.name")] if then else []), *names_of(look.trace)[: look.at + 1]]
    with st.container(key="treemap_since", width=240):
        name = st.selectbox(t("treemap.since"), names, key="treemap.since", label_visibility="collapsed")
    if then and name in (None, names[0]):
        return {item.id: item.tokens for item in _same_stage(then, look).items}
    return tokens_at(look, names_of(look.trace).index(name) if name in names else 0)


def _same_stage(then: Trace, look: Looking) -> Snapshot:
    """The stage of the baseline that is called as the one looked at, or else its last."""
    return next((snapshot for snapshot in then.snapshots if snapshot.name == look.snapshot.name), then.snapshots[-1])


def tokens_at(look: Looking, stage: int) -> Mapping[str, int]:
    return {item.id: item.tokens for item in look.trace.snapshots[stage].items}


def tiles(look: Looking, then: Mapping[str, int]) -> list[Tile]:
    """Items of all stages at their largest size, so that each keeps its place; then what is beside them."""
    trace = look.trace
    base: dict[str, int] = {}
    items: dict[str, Item] = {}
    for state in (trace.inputs, *(snapshot.items for snapshot in trace.snapshots)):
        for item in state:
            base[item.id] = max(base.get(item.id, 0), item.tokens)
            items.setdefault(item.id, item)
    now = {item.id: item for item in look.snapshot.items}
    flips = baseline.flips(trace)
    rows = [
        tile if key not in flips else replace(tile, note=f"{flips[key]} {tile.note}".strip())
        for key, item in items.items()
        for tile in _of_item(look, now.get(key), item, base[key], then.get(key))
    ]
    return [*rows, *_room(look, sum(base.values()))]


def _room(look: Looking, places: int) -> list[Tile]:
    """Tools, overhead, free room and reserve: in their places of the last stage, with what they are now."""
    trace, budget = look.trace, look.trace.budget
    used = [snapshot.tokens_after for snapshot in trace.snapshots]
    last = max(0, trace.totals.overhead)
    window = Window(budget.window, budget.reserve, trace.totals.tools, last, used[look.at], places, min(used))
    free = max(0, budget.window - budget.reserve - trace.totals.tools - look.overhead - used[look.at])
    now = {"overhead": look.overhead, "free": free}
    return [replace(tile, tokens=now.get(tile.id, tile.tokens)) for tile in room_tiles(window)]


def _of_item(look: Looking, now: Item | None, first: Item, base: int, before: int | None) -> list[Tile]:
    tokens = now.tokens if now else 0
    decision = look.decided.get(first.id)
    fate = str(decision.action) if decision else ("kept" if now else str(Action.DROPPED))
    note = says(decision.rule, decision.facts) if decision else ""
    item = now or first
    whole = Tile(
        first.id, str(first.source), tokens, base, first.id, fate, _change(tokens, before), item.relevance, note=note
    )
    if len(item.parts) < 2 or not now:
        return [whole]
    count = counter_for(look.trace.model_name).count
    return [
        whole,
        *(
            Tile(
                f"{first.id}#{at}",
                str(first.source),
                size,
                size,
                shown(part)[:40],
                fate,
                whole.change,
                item.relevance,
                first.id,
            )
            for at, part in enumerate(item.parts)
            if (size := _size(part, count))
        ),
    ]


def _size(part: Part, count: Callable[[str], int]) -> int:
    match part:
        case Text(text):
            return count(text)
        case Call(_, name, arguments):
            return count(name) + count(arguments)
        case Result(_, _, content):
            return count(content)
    return 0


def _change(now: int, before: int | None) -> str:
    if before is None:
        return "added" if now else "same"
    if not now:
        return "removed"
    return "same" if now == before else "shrunk" if now < before else "grown"
