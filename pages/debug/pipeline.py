"""Which stages, in which order, with which options and under which conditions?"""

import streamlit as st

from ctxcore.errors import CtxError
from ui.runs import trace_of
from ui.stages import editor, kept, steps
from ui.words import literal, t
from ui.workspace import state

st.title(t("page.pipeline"), anchor=False)
kept.draw_kept()
now = state.workspace()
try:
    trace = trace_of(now)
except CtxError as error:  # what is wrong with the whole of it; the editor stays, to mend it with
    st.error(literal(error.told), icon=":material/info:")
    trace = None
if trace is not None:
    steps.draw_rail(trace, now)
left, right = st.columns([3, 2], gap="medium")
with left:
    editor.draw_stages(trace)
with right:
    editor.draw_change_list()
