"""The item that was picked: what each stage of either run did to it."""

from __future__ import annotations

import streamlit as st

from ctxcore.comparing.comparison import Comparison
from ctxcore.explaining.why import story_of
from ctxcore.trace import Trace
from ui.looking import picked_item
from ui.palette import ACTIONS
from ui.said import says
from ui.words import code, literal, number, t


def picked() -> str | None:
    return picked_item()


def draw_stories(compared: Comparison, names: tuple[str, str]) -> None:
    key = picked()
    known = {item.id for trace in (compared.first, compared.second) for item in trace.inputs}
    if key not in known:
        if compared.flips:
            st.caption(t("compare.pick_item"))
        return
    with st.container(border=True, key="compare_story"):
        st.markdown(code(str(key)))
        traces = (compared.first, compared.second)
        for column, trace, name in zip(st.columns(2), traces, names, strict=True):
            with column:
                st.caption(literal(name))
                _story(trace, str(key))


def _story(trace: Trace, key: str) -> None:
    for event in story_of(trace, key).events:
        decision = event.decision
        sizes = number(decision.after)
        if decision.before != decision.after:
            sizes = f"{number(decision.before)} → {number(decision.after)}"
        mark = ACTIONS[decision.action].glyph
        st.markdown(f"{mark} {code(event.stage)} :small[{literal(says(decision.rule, decision.facts))} :gray[{sizes}]]")
