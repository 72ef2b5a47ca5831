"""The stage looked at as motion: from what it was given to what it left."""

from __future__ import annotations

import streamlit as st

from ui.components import Moving, flow
from ui.looking import Looking
from ui.said import says


def draw(look: Looking) -> None:
    before = {item.id: item for item in look.snapshot.before.items}
    after = {item.id: item for item in look.snapshot.items}
    rows = []
    for key, item in {**before, **after}.items():
        decision = look.decided.get(key)
        why = says(decision.rule, decision.facts) if decision else ""
        fate = str(decision.action) if decision else "kept"
        sizes = (before[key].tokens if key in before else 0, after[key].tokens if key in after else 0)
        rows.append(Moving(key, str(item.source), *sizes, fate, why))
    with st.container(key="view_flow"):
        flow(rows, list(after), look.mount("flow", 380))
