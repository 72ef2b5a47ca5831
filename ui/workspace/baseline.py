"""The baseline: a state of the workspace that everything is compared with while one tunes. Settings alone are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from ctxcore.comparing.fates import fates
from ctxcore.errors import CtxError
from ctxcore.trace import Trace
from ui.runs import trace_of
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.workspace import Workspace

FIELDS = (
    "scenario",
    "revision",
    "imported",
    "system",
    "variant",
    "model",
    "window",
    "reserve",
    "limits",
    "options",
    "stages",
    "pins",
    "edits",
)
NAMED = 12  # items that a tooltip names


@dataclass(frozen=True, slots=True)
class Shift:
    """What changed against the baseline; `cents` for one call, None where a price is not known."""

    tokens: int
    lost: tuple[str, ...]
    gained: tuple[str, ...]
    cents: float | None


def is_set() -> bool:
    return bool(state.workspace().baseline)


def set_baseline() -> None:
    plain = state.workspace().to_plain()
    state.put(baseline={name: plain[name] for name in FIELDS})


def clear() -> None:
    state.put(baseline={})


def baseline() -> Trace | None:
    """The run of the baseline; None where none is set, or it can no longer be built."""
    now = state.workspace()
    if not now.baseline:
        return None
    then = Workspace.from_plain({**now.to_plain(), **now.baseline})
    try:
        return trace_of(replace(then, baseline={}))
    except CtxError:  # such as a scenario that is no longer in the store
        return None


def shift(before: Trace, after: Trace) -> Shift:
    was, is_ = ({item.id for item in trace.final.items if not item.parents} for trace in (before, after))
    prices = [
        trace.totals.total * trace.model.input_price / 10_000
        for trace in (before, after)
        if trace.model.input_price is not None
    ]
    return Shift(
        after.totals.total - before.totals.total,
        tuple(sorted(was - is_)),
        tuple(sorted(is_ - was)),
        prices[1] - prices[0] if len(prices) == 2 else None,
    )


def flips(trace: Trace) -> Mapping[str, str]:
    """Item → what became of it in the baseline and what does now, in words, where these differ."""
    before = baseline()
    then = fates(before) if before else {}
    now = fates(trace) if then else {}
    return {
        key: t("baseline.flip", before=t(f"baseline.end.{then[key].end}"), after=t(f"baseline.end.{fate.end}"))
        for key, fate in now.items()
        if key in then and then[key].end != fate.end
    }


def draw_baseline(trace: Trace) -> None:
    """Set it, or what changed since and clear it: a few words in the headline."""
    before = baseline()
    with st.container(key="baseline", horizontal=True, vertical_alignment="center", gap="small", width="content"):
        if before is None:
            if st.button(
                t("baseline.set"), icon=":material/flag:", type="tertiary", key="baseline.set", help=t("baseline.help")
            ):
                set_baseline()
                st.rerun()
            return
        found = shift(before, trace)
        st.badge(t("baseline.tokens", change=f"{found.tokens:+,}"), icon=":material/flag:", color="violet")
        for name, items, colour in (("lost", found.lost, "red"), ("gained", found.gained, "green")):
            if items:
                told = literal(", ".join(items[:NAMED])) + (f" +{len(items) - NAMED}" if len(items) > NAMED else "")
                st.badge(t(f"baseline.{name}", count=number(len(items))), color=colour, help=told)
        if found.cents is not None:
            st.caption(t("baseline.cents", change=f"{found.cents:+.3f}"), width="content")
        if st.button(t("baseline.clear"), icon=":material/close:", type="tertiary", key="baseline.clear"):
            clear()
            st.rerun()
