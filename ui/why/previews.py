"""What a change would do, worked out by a build before anybody clicks: what enters, what leaves, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from ctxcore.errors import CtxError
from ctxcore.explaining.remedies import exchanged
from ctxcore.trace import Trace
from ui.runs import trace_of
from ui.words import badge, number, t
from ui.workspace import state

SHOWN = 5  # items by name


@dataclass(frozen=True, slots=True)
class Outcome:
    leaves: tuple[str, ...]
    enters: tuple[str, ...]
    before: int  # tokens of the payload
    after: int
    room: int


def preview(trace: Trace, **changes: Any) -> Outcome | None:
    """None where the build with these changes cannot be made."""
    try:
        changed = trace_of(replace(state.workspace(), **changes))
    except CtxError:
        return None
    leaves, enters = exchanged(trace, changed)
    return Outcome(leaves, enters, trace.totals.total, changed.totals.total, changed.budget.room)


def draw_outcome(outcome: Outcome, sizes: dict[str, int]) -> None:
    """Green what enters, red what leaves, each with its tokens; then the payload before and after."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        _items("+", "green", outcome.enters, sizes)
        _items("−", "red", outcome.leaves, sizes)
        if not outcome.enters and not outcome.leaves:
            st.caption(t("preview.same"), width="content")
        st.caption(
            t(
                "preview.tokens",
                before=number(outcome.before),
                after=number(outcome.after),
                room=number(outcome.room),
            ),
            width="content",
        )
        if outcome.after > outcome.room:
            st.badge(t("headline.over", over=number(outcome.after - outcome.room)), color="red")


def _items(sign: str, colour: Any, ids: Sequence[str], sizes: dict[str, int]) -> None:
    for key in ids[:SHOWN]:
        size = f" {number(sizes[key])}" if key in sizes else ""
        st.markdown(badge(f"{sign} {key}{size}", colour), width="content")
    if len(ids) > SHOWN:
        st.badge(t("preview.more", sign=sign, count=len(ids) - SHOWN), color=colour)
