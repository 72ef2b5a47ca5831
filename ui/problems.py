"""What a stage has to report: shown where it happened, with what to do about it."""

from __future__ import annotations

import streamlit as st

from ui.looking import Looking
from ui.said import says
from ui.words import literal, t


def draw_problems(look: Looking) -> None:
    for problem in look.trace.problems_of(look.snapshot):
        show = {"error": st.error, "warning": st.warning}.get(problem.severity, st.info)
        text = literal(says(problem.rule, problem.facts))
        if problem.rule == "floor":
            text += " " + literal(says("smallest-window", {"window": look.trace.smallest_window}))
        show(
            text,
            icon={"error": ":material/error:", "warning": ":material/warning:"}.get(
                problem.severity, ":material/info:"
            ),
        )
        if len(problem.items) > 0:
            st.caption(t("problem.items", items=", ".join(literal(key) for key in problem.items[:8])))
