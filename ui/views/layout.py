"""The payload along its tokens, against what can be expected to be recalled at each place."""

from __future__ import annotations

import streamlit as st

from ctxcore.placing.placement import placement
from ui.components import Block, Recall, layout_map
from ui.looking import Looking
from ui.steps import last_stage
from ui.words import t


def draw(look: Looking) -> None:
    if not look.snapshot.payload.messages:
        last_stage(look, t("layout.not_yet"))
        return
    found = placement(look.trace)
    blocks = [Block("tools", "tools", 0, look.trace.totals.tools, 0.1)] if look.trace.totals.tools else []
    blocks += [
        Block(
            b.item.id,
            str(b.item.source),
            b.start,
            b.end - b.start,
            b.importance / 3,
            flag=t("layout.flag", here=f"{100 * b.here:.0f}", best=f"{100 * b.best:.0f}") if b.marked else "",
        )
        for b in found.blocks
    ]
    points = found.curve.points()
    curve = tuple((found.total * at / (len(points) - 1), recall) for at, recall in enumerate(points))
    zone = tuple(found.total * x for x in found.trough)
    with st.container(key="view_layout"):
        layout_map(
            blocks,
            Recall(curve, ((zone[0], zone[1]),) if zone[1] > zone[0] else ()),
            look.mount("layout", 380),
            total=found.total,
            messages=[start for start, _, _ in look.trace.map],
        )
    marked = sum(1 for b in found.blocks if b.marked)
    st.caption(t("layout.fill", fill=f"{100 * found.fill:.0f}", marked=marked), help=t("layout.source"))
