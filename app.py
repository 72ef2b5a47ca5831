"""The app: opens the workspace, draws the frame, runs the page. `streamlit run app.py`, or `make run` for all of it."""

import streamlit as st

from ui import frame, state
from ui.words import t

# Section of the menu and folder of the page -> its pages: file, address, icon. The first of all is the start page.
PAGES = {
    "debug": (("playground", "", "tune"), ("sources", "sources", "edit_note")),
    "show": (("present", "present", "slideshow"),),
}


def menu() -> dict[str, list[st.Page]]:
    return {
        t(f"section.{section}"): [
            st.Page(
                f"pages/{section}/{name}.py",
                title=t(f"page.{name}"),
                icon=f":material/{icon}:",
                url_path=address or None,
                default=not address,
            )
            for name, address, icon in pages
        ]
        for section, pages in PAGES.items()
    }


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
