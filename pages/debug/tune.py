"""What happens as a limit moves, which split keeps most, and how a set of scenarios takes it."""

import streamlit as st

from ui.one_of import one_of
from ui.runs import trace_of
from ui.tune import axis, many, monitor, presets, split
from ui.words import t
from ui.workspace.baseline import draw_baseline
from ui.workspace.state import workspace

SECTIONS = {
    "axis": axis.draw,
    "split": split.draw,
    "many": many.draw,
    "presets": presets.draw,
    "monitor": monitor.draw,
}

trace = trace_of(workspace())
names = {section: t(f"tune.{section}") for section in SECTIONS}
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.title(t("page.tune"), anchor=False)
    st.space("stretch")
    draw_baseline(trace)
section = one_of(names, "axis", label=t("page.tune"), place="tune_section", key="tune.section")
SECTIONS[section](trace)
