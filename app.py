"""The app: opens the workspace, draws the frame, runs the page. `streamlit run app.py`, or `make run` for all of it."""

import streamlit as st

from ui import frame, state
from ui.words import t

# Folder, file, address and icon of each page, in the order of the menu; the first one is the start page.
PAGES = (
    ("debug", "playground", "", "tune"),
    ("debug", "sources", "sources", "edit_note"),
    ("show", "present", "present", "slideshow"),
)


def menu() -> list[st.Page]:
    return [
        st.Page(
            f"pages/{folder}/{name}.py",
            title=t(f"page.{name}"),
            icon=f":material/{icon}:",
            url_path=address or None,
            default=not address,
        )
        for folder, name, address, icon in PAGES
    ]


frame.configure()
state.begin()
page = st.navigation(menu(), position="top")
try:
    with frame.boundary(), frame.sidebar():
        pass
    with frame.boundary():
        page.run()
    frame.show_notices()
finally:
    state.finish()
