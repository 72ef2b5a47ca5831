"""What was measured: verdict, chart, and how to use it as the curve of the layout."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from ctxcore.measuring.estimate import Fit, fit, points
from ctxcore.measuring.examples import examples
from ctxcore.measuring.measured import Measured
from ctxcore.stages.layout_optimizer import LayoutOptimizer
from ui.measure import chart
from ui.measure.measuring import KIND, saved
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

MEASURED = f"{LayoutOptimizer.name}.measured"


def all_curves() -> list[Measured]:
    """One's own, the newest first; then those that ship."""
    return [*saved(owner()), *examples()]


def draw() -> None:
    mine = saved(owner())
    for at, one in enumerate(mine):
        _one(one, at, opened=at == 0, own=True)
    for at, one in enumerate(examples(), start=len(mine)):
        _one(one, at, opened=not mine, own=False)


def _one(one: Measured, at: int, opened: bool, own: bool) -> None:
    answers = sum(not seen.error for seen in one.seen)
    label = t("measure.title", name=literal(one.name), answers=number(answers), calls=number(one.plan.calls))
    with st.expander(label, expanded=opened, key=f"measured.{at}", icon=":material/show_chart:"):
        if one.about:
            st.caption(literal(" · ".join(f"{name}: {value}" for name, value in one.about.items())))
        for tokens in one.plan.lengths:
            for kind in one.plan.kinds:
                _curve(one, tokens, kind, f"measured.{at}.{tokens}.{kind}")
        _buttons(one, at, own)


def _curve(one: Measured, tokens: int, kind: str, key: str) -> None:
    found = points(one.seen, tokens, kind)
    made = fit(found)
    with st.container(key=key.replace(".", "_")):
        st.markdown(f"**{t('measure.at', tokens=number(tokens), kind=t(f'measure.kind.{kind}'))}** {_verdict(made)}")
        wrong = sum(seen.confused for seen in one.seen if (seen.tokens, seen.kind) == (tokens, kind))
        if wrong:
            st.caption(t("measure.confused", count=number(wrong)))
        chart.draw(found, made, f"{key}.chart")


def layout_under(one: Measured, now: Workspace) -> dict[str, Any]:
    """What shows the layout under that curve; nothing where it has too few answers."""
    text = one.as_text()
    return {"options": {**now.options, MEASURED: text}, "view": "layout", "stage": ""} if text else {}


def _verdict(made: Fit | None) -> str:
    if made is None:
        return t("measure.too_few")
    facts = {
        "front": f"{100 * made.primacy:+.0f}",
        "front_low": f"{100 * made.primacy_range[0]:+.0f}",
        "front_high": f"{100 * made.primacy_range[1]:+.0f}",
        "back": f"{100 * made.recency:+.0f}",
        "back_low": f"{100 * made.recency_range[0]:+.0f}",
        "back_high": f"{100 * made.recency_range[1]:+.0f}",
    }
    return t("measure.effect", **facts) if made.has_effect else t("measure.no_effect", **facts)


def _buttons(one: Measured, at: int, own: bool) -> None:
    with st.container(horizontal=True, gap="small", key=f"measured_buttons_{at}"):
        text = one.as_text()
        if text and st.button(t("measure.use"), icon=":material/check:", key=f"measured.use.{at}"):
            state.put(**layout_under(one, state.workspace()))
            st.switch_page("pages/debug/playground.py")
        st.download_button(
            t("measure.download"),
            json.dumps(one.to_json(), ensure_ascii=False, indent=1),
            f"{KIND}.json",
            "application/json",
            icon=":material/download:",
            type="tertiary",
            key=f"measured.download.{at}",
            on_click="ignore",
        )
        if own and st.button(t("measure.forget"), icon=":material/delete:", type="tertiary", key=f"measured.drop.{at}"):
            state.store().throw_away(owner(), KIND, one.name)
            st.rerun()
