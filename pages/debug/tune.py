"""What happens as a limit moves, which split keeps most, and how a set of scenarios takes it."""

import streamlit as st

from ui import tune_axis, tune_many, tune_monitor, tune_presets, tune_split
from ui.baseline import draw_baseline
from ui.one_of import one_of
from ui.runs import trace_of
from ui.state import workspace
from ui.words import t

SECTIONS = {
    "axis": tune_axis.draw,
    "split": tune_split.draw,
    "many": tune_many.draw,
    "presets": tune_presets.draw,
    "monitor": tune_monitor.draw,
}

trace = trace_of(workspace())
names = {section: t(f"tune.{section}") for section in SECTIONS}
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.title(t("page.tune"), anchor=False)
    st.space("stretch")
    draw_baseline(trace)
section = one_of(names, "axis", label=t("page.tune"), place="tune_section", key="tune.section")
SECTIONS[section](trace)
