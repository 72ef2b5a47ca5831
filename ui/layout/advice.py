"""What another order would gain, told only where it is worth it; applied by a click, or tried by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from ctxcore.placing.advice import Advice, advice
from ctxcore.placing.sensitivity import sensitivity
from ctxcore.stages.layout_optimizer import LayoutOptimizer
from ctxcore.trace import Trace
from ui.layout.choice import Choice
from ui.readings import of_trace
from ui.stages.order import kept_order, order_of
from ui.stages.steps import names_of
from ui.tables import draw_table
from ui.words import t
from ui.workspace import state

STAGE = LayoutOptimizer.name
ORDER, LEAST = f"{STAGE}.order", f"{STAGE}.min_gain"
FEW = 400  # pieces: up to there, wrong guesses of the importance are tried as well


def draw(trace: Trace, choice: Choice) -> None:
    found = _advice(trace, choice)
    with st.container(key="layout_advice", gap="small"):
        if STAGE in names_of(trace):
            _applied(trace)
        _told(found)
        with st.expander(t("layout.orders"), icon=":material/swap_vert:", key="layout.orders"):
            _table(found)
            if len(found.arrangement.units) <= FEW:
                _sensitivity(found)


@of_trace
def _advice(trace: Trace, choice: Choice) -> Advice:
    return advice(trace, choice.preset, window=choice.window, importance=choice.importance)


def _told(found: Advice) -> None:
    facts = {
        "here": f"{found.present:.1f}",
        "gain": f"{found.gain:.1f}",
        "halved": f"{found.halved - found.present:+.1f}",
    }
    if not found.is_worth_it:
        st.caption(f":material/check: {t('layout.good', **facts)}")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="layout_worth"):
        st.markdown(f":material/lightbulb: {t('layout.worth', **facts)}")
        if st.button(t("layout.apply"), icon=":material/swap_vert:", key="layout.apply", help=t("layout.apply_help")):
            _put_stage({ORDER: None})
            st.rerun()


def _applied(trace: Trace) -> None:
    """What the stage did in this run, and how to be rid of it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="layout_applied"):
        told = next((d for d in trace.snapshots[-1].decisions if d.rule.startswith("layout-")), None)
        facts: dict[str, Any] = dict(told.facts) if told else {}
        rule = "by_hand" if told and told.rule == "layout-by-hand" else "optimized" if told else "idle"
        shown = {name: f"{facts[name]:.1f}" for name in ("here", "best") if name in facts}
        st.markdown(f":material/swap_vert: {t(f'layout.{rule}', **shown)}")
        if st.button(t("layout.remove"), icon=":material/close:", type="tertiary", key="layout.remove"):
            now = state.workspace()
            left = tuple(name for name in now.stages if name != STAGE)
            state.put(stages=kept_order(now, left), options=_options({ORDER: None, LEAST: None}), stage="")
            st.rerun()


def _table(found: Advice) -> None:
    price = found.arrangement.payload.model.input_price
    rows = []
    for name, expected in sorted(found.expected.items(), key=lambda row: -row[1]):
        tokens = found.uncached(name)
        cost = f"{tokens / 1e6 * price * 100:.2f} ¢" if price is not None else "–"
        rows.append((t(f"order.{name}"), expected, expected - found.present, tokens, cost))
    columns = [t(f"layout.column.{name}") for name in ("order", "expected", "gain", "uncached", "cost")]
    draw_table(
        pd.DataFrame(rows, columns=columns),
        hide_index=True,
        key="layout.table",
        column_config={
            columns[1]: st.column_config.NumberColumn(format="%.1f %%"),
            columns[2]: st.column_config.NumberColumn(format="%+.1f"),
            columns[3]: st.column_config.NumberColumn(format="localized", help=t("layout.uncached_help")),
        },
    )
    free = sum(1 for unit in found.arrangement.units if unit.place == 0)
    st.caption(t("layout.parity", count=free, end=t("layout.first" if free % 2 else "layout.last")))


def _sensitivity(found: Advice) -> None:
    rows = sensitivity(found.arrangement.units, found.curve)
    parts = [t("layout.guess", agreement=f"{row.agreement:.2f}", gain=f"{row.gain:+.1f}") for row in rows]
    st.caption(f"{t('layout.sensitivity')} {' · '.join(parts)}")


def mover(trace: Trace) -> Callable[[str, str], None]:
    """Puts a block before another one: an order by hand, as an option of the stage."""

    def move(item: str, before: str) -> None:
        keys = [span.item for span in trace.spans if span.item != item]
        keys.insert(keys.index(before) if before in keys else len(keys), item)
        _put_stage({ORDER: json.dumps(keys, ensure_ascii=False)})

    return move


def _put_stage(options: dict[str, str | None]) -> None:
    """The stage behind the pipeline, with these options; None takes one back."""
    now = state.workspace()
    order = order_of(now)
    state.put(stages=order if STAGE in order else (*order, STAGE), options=_options(options), stage=STAGE, run_to="")


def _options(changes: dict[str, str | None]) -> dict[str, Any]:
    kept = {path: value for path, value in state.workspace().options.items() if path not in changes}
    return {**kept, **{path: value for path, value in changes.items() if value is not None}}
