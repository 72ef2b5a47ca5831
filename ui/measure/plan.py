"""What is to be measured, and what it will cost: the controls of a plan."""

from __future__ import annotations

import streamlit as st

from ctxcore.counting.models import model
from ctxcore.measuring.needles import SAYS
from ctxcore.measuring.plan import Plan
from ctxcore.model.endpoint import Endpoint
from ui.words import number, t

LENGTHS = (500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000)
PLACES, TRIALS, DISTRACTORS = (3, 5, 8, 11), (2, 5, 10, 20, 40), (0, 2, 4, 8)


def choose_plan() -> Plan | None:
    """None while no length or no kind of needle is chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="measure_plan"):
        with st.container(key="measure_lengths", width=320):
            labels = {tokens: number(tokens) for tokens in LENGTHS}
            lengths = st.multiselect(
                t("measure.lengths"),
                LENGTHS,
                default=[1_000],
                format_func=labels.__getitem__,
                key="measure.lengths",
                help=t("measure.lengths_help"),
            )
        places = _pick("places", PLACES, 1)
        trials = _pick("trials", TRIALS, 1)
        distractors = _pick("distractors", DISTRACTORS, 3)
        with st.container(key="measure_kinds", width="content"):
            names = {kind: t(f"measure.kind.{kind}") for kind in SAYS}
            kinds = st.pills(
                t("measure.kinds"),
                tuple(SAYS),
                default=["literal"],
                selection_mode="multi",
                format_func=names.__getitem__,
                key="measure.kinds",
                help=t("measure.kinds_help"),
            )
    if not lengths or not kinds:
        st.caption(t("measure.choose"))
        return None
    return Plan(tuple(sorted(lengths)), places, trials, tuple(kinds), distractors)


def _pick(name: str, values: tuple[int, ...], at: int) -> int:
    with st.container(key=f"measure_{name}", width=110):
        return st.selectbox(
            t(f"measure.{name}"), values, index=at, key=f"measure.{name}", help=t(f"measure.{name}_help")
        )


def says_cost(plan: Plan, endpoint: Endpoint) -> str:
    cost = plan.cost(model(endpoint.name).input_price)
    facts = {"calls": number(plan.calls), "tokens": number(plan.tokens)}
    known = cost is not None and endpoint.host == "api.openai.com"
    return t("measure.cost", **facts, cost=f"{100 * cost:,.1f}") if known else t("measure.cost_unknown", **facts)
