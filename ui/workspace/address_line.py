"""The browser's address line: it shows where one is, so that it can be sent to a colleague, and kept as a bookmark."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.workspace import address, link
from ui.workspace.workspace import Workspace

OURS = frozenset((*address.LINKED, *link.NAMES))


def went_back() -> bool:
    """Whether this run comes from the browser's Back or Forward."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def write(id: str, workspace: Workspace) -> None:
    """Puts back what a click in the navigation takes from the address; other parameters are left alone."""
    now = st.query_params.to_dict()
    others = {name: value for name, value in now.items() if name not in OURS}
    wanted = {**others, "ws": id, **address.write_link(workspace)}
    if went_back() and "ws" in now:  # writing makes a new entry of the history: there would be no way back from here
        return
    if wanted != now:
        st.query_params.from_dict(wanted)
