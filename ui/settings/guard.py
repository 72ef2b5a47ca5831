"""The switch of the guardrail, for every system, and what it found in one line."""

from __future__ import annotations

import streamlit as st

from ctxcore.stages import OPTIONAL
from ctxcore.trace import Trace
from ui.words import t
from ui.workspace import state

STAGE, ENABLED = "guardrail", "guardrail.enabled"


def draw_guard(trace: Trace | None) -> None:
    """Its other options are on the rail, at its stage, once it is on."""
    options = state.workspace().options
    is_on = str(options.get(ENABLED, False)).lower() == "true"
    with st.container(key="guard_switch"):
        wanted = st.toggle(t("guard.switch"), is_on, key=state.key("options", ENABLED, "switch"), help=t("guard.help"))
    if wanted != is_on:
        left = {path: value for path, value in options.items() if path != ENABLED}
        order = state.workspace().stages
        if wanted and order and STAGE not in order:  # an order of the user's own
            order = (*order[:1], STAGE, *order[1:])
        state.put(options={**left, ENABLED: True} if wanted else left, stages=order)
        st.rerun()
    if is_on:
        st.caption(t("guard.scope"))
        if trace is not None:
            st.caption(_found(trace))


def kept(options: dict[str, object]) -> dict[str, object]:
    """Options that stay when the system changes: those of stages that any system may run."""
    return {path: value for path, value in options.items() if path.rpartition(".")[0] in OPTIONAL}


def _found(trace: Trace) -> str:
    told = [p for snapshot in trace.snapshots for p in snapshot.problems if p.rule in ("pii-found", "injection-found")]
    if not told:
        return t("guard.nothing")
    lines = {
        "pii-found": lambda facts: t("guard.found", found=facts["found"], items=facts["count"], kinds=facts["kinds"]),
        "injection-found": lambda facts: t("guard.orders", items=facts["count"]),
    }
    return "  \n".join(lines[problem.rule](problem.facts) for problem in told)
