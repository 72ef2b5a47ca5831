"""The payload along its tokens, against what can be expected to be recalled at each place."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ctxcore.item import Source
from ctxcore.placing.expected import expected_recall
from ctxcore.placing.placement import Placement, placement
from ctxcore.trace import Trace
from ui.components import Block, Marks, Recall, layout_map
from ui.layout import advice
from ui.layout.choice import choose
from ui.looking import Looking
from ui.stages.steps import last_stage, run_to
from ui.words import t
from ui.workspace import state


def draw(look: Looking) -> None:
    if not look.snapshot.payload.messages:
        last = len(look.trace.snapshots) - 1
        if run_to(look.trace, state.workspace()) < last or not look.trace.final.messages:
            last_stage(look, t("layout.not_yet"))
            return
        st.caption(f":material/info: {t('layout.of_last')}")
        look = replace(look, at=last)
    choice = choose(look.trace)
    found = placement(look.trace, choice.preset, window=choice.window, importance=choice.importance)
    _map(look, found)
    marked = sum(1 for b in found.blocks if b.marked)
    facts = {"fill": f"{100 * found.fill:.0f}", "marked": marked, "recall": f"{100 * found.expected:.1f}"}
    wanted = look.trace.scenario.must_keep
    whole = f"{100 * expected_recall(look.trace, wanted, found):.0f}"
    with st.container(key="layout_fill"):
        st.caption(t("layout.fill", **facts), help=t("layout.source"))
        st.caption(t("layout.whole_facts" if wanted else "layout.whole", whole=whole))
    advice.draw(look.trace, choice)


def _map(look: Looking, found: Placement) -> None:
    points = found.curve.points()
    curve = tuple((found.total * at / (len(points) - 1), recall) for at, recall in enumerate(points))
    zone = tuple(found.total * x for x in found.trough)
    with st.container(key="view_layout"):
        layout_map(
            blocks(look.trace, found),
            Recall(curve, ((zone[0], zone[1]),) if zone[1] > zone[0] else ()),
            look.mount("layout", 380),
            total=found.total,
            marks=_marks(look.trace, found),
            on_move=advice.mover(look.trace) if look.snapshot is look.trace.snapshots[-1] else None,
        )


def blocks(trace: Trace, found: Placement) -> list[Block]:
    tools = trace.totals.tools
    drawn = [Block("tools", "tools", 0, tools, 0.1)] if tools else []
    for b in found.blocks:
        flag = t("layout.flag", here=f"{100 * b.here:.0f}", best=f"{100 * b.best:.0f}") if b.marked else ""
        weight = b.importance / 3
        drawn.append(
            Block(b.item.id, str(b.item.source), b.start, b.end - b.start, weight, flag=flag, pinned=b.item.pinned)
        )
    return drawn


def _marks(trace: Trace, found: Placement) -> Marks:
    """Calls with their results as one bracket; as the prefix that a cache holds, what is in front of the first turn."""
    groups: dict[str, tuple[int, int]] = {}
    for b in found.blocks:
        if b.item.group:
            start, end = groups.get(b.item.group, (b.start, b.end))
            groups[b.item.group] = min(start, b.start), max(end, b.end)
    prefix = trace.totals.tools
    for b in found.blocks:
        if b.item.source is not Source.SYSTEM:
            break
        prefix = b.end
    return Marks([start for start, _, _ in trace.map], list(groups.values()), prefix)
