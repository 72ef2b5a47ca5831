"""Two settings on the same sources, side by side: what is otherwise, and why."""

import streamlit as st

from ctxcore.comparing.comparison import Comparison
from ui.compare import sides
from ui.compare.head import draw_totals
from ui.compare.parts import PARTS, pick_part
from ui.compare.pick import draw_ready, draw_second, name_of, pick_demo, told_demo
from ui.library import bodies
from ui.library.keeping import draw_keep
from ui.runs import trace_of
from ui.words import t
from ui.workspace import state

now = state.workspace()
with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
    st.title(t("page.compare"), anchor=False)
    st.space("stretch")
    pick_demo(now)
told_demo(now)
with st.container(key="compare_ready", horizontal=True, vertical_alignment="center", gap="xsmall"):
    st.caption(t("compare.against"), width="content")
    draw_ready(now)
    st.space("stretch")
    keep = st.container(width="content")  # filled below: what cannot be run leaves the pickers there
draw_second(now)

second = sides.second(now)
compared = Comparison(trace_of(now), trace_of(second))
names = f"A · {name_of(now)}", f"B · {name_of(second)}"
with keep:
    draw_keep("comparison", " | ".join(names), lambda: bodies.comparison(now, compared.first, compared.second))
draw_totals(compared, names)
PARTS[pick_part(now.part)](compared, names)
