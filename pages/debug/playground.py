"""What does each stage do to my context?"""

import streamlit as st

from ui import welcome
from ui.headline import draw_bar, draw_headline
from ui.item_panel import draw_item
from ui.knowledge.in_pipeline import draw_embedding
from ui.looking import Looking
from ui.runs import trace_of
from ui.settings.summaries import draw_spending, services
from ui.stages import steps
from ui.stages.form import draw_options
from ui.stages.problems import draw_problems
from ui.views.all import VIEWS, pick_view
from ui.why.sought import go_if_asked
from ui.workspace import state

go_if_asked()
welcome.draw()
trace = trace_of(state.workspace())
top = st.container()  # drawn last: the rail may pick another stage
steps.draw_rail(trace, state.workspace())
now = state.workspace()
look = Looking(trace, steps.picked(trace, now))
with top:
    draw_headline(look, last_run=steps.run_to(trace, now) == len(trace.snapshots) - 1)
    draw_bar(look)

with st.container(key="stage_bar", horizontal=True, vertical_alignment="center", gap="xsmall"):
    view = pick_view(now.view)
    st.space("stretch")
    steps.draw_steps(trace, now)
    draw_options(look.snapshot)
draw_problems(look)
draw_spending(trace)
draw_embedding(trace, services())

main, side = st.columns([2, 1], gap="medium") if look.picked else (st.container(), None)
with main:
    VIEWS[view](look)
if side is not None:
    with side:
        draw_item(look)
