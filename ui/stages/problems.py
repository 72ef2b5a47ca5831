"""What a stage has to report: shown where it happened, with what to do about it."""

from __future__ import annotations

import streamlit as st

from ctxcore.decision import Problem
from ui.looking import Looking
from ui.said import says
from ui.words import literal, t

LOOKS = {"error": ("red", "error"), "warning": ("orange", "warning"), "info": ("blue", "info")}
SHOWN = 6  # items that a problem names


def draw_problems(look: Looking) -> None:
    found = look.trace.problems_of(look.snapshot)
    if not found:
        return
    with st.container(key="problems", gap="xxsmall"):
        for problem in found:
            colour, icon = LOOKS.get(problem.severity, LOOKS["info"])
            st.markdown(f":{colour}[:material/{icon}:] {_text(look, problem)}")


def _text(look: Looking, problem: Problem) -> str:
    text = literal(says(problem.rule, problem.facts))
    if problem.rule == "floor":
        text += " " + literal(says("smallest-window", {"window": look.trace.smallest_window}))
    named = ", ".join(literal(key) for key in problem.items[:SHOWN])
    if not named:
        return text
    more = t("problem.more", count=len(problem.items) - SHOWN) if len(problem.items) > SHOWN else ""
    return f"{text} :gray[{named}{more}]"
