"""What is shared of the pages that show the workspace: the view as it is set, and its run."""

from __future__ import annotations

import streamlit as st

from ui.runs import trace_of
from ui.sharing.files import draw_files, files_of
from ui.sharing.links import Link, draw_link
from ui.why.sought import PARAMETER
from ui.words import t
from ui.workspace import state


def fill() -> None:
    now, asked = state.workspace(), str(st.query_params.get(PARAMETER, ""))
    st.caption(t("share.what_view"))
    draw_link(Link(now, more={PARAMETER: asked} if asked else {}))
    trace = trace_of(now)
    draw_files(t("share.files"), trace.scenario.name or "run", *files_of(trace))
