"""The app: opens the workspace, draws the frame, runs the page. `streamlit run app.py`; `make run` for all of it."""

from __future__ import annotations

import streamlit as st

from ui import frame, login
from ui.settings.controls import draw_controls
from ui.sharing import view
from ui.sharing.panel import draw_share
from ui.words import t
from ui.workspace import state

# Folder, file and address of each page, in the order of the menu; the first one is the start page.
PAGES = (
    ("debug", "playground", ""),
    ("debug", "sources", "sources"),
    ("debug", "why", "why"),
    ("debug", "knowledge", "knowledge"),
    ("debug", "pipeline", "pipeline"),
    ("debug", "compare", "compare"),
    ("debug", "tune", "tune"),
    ("debug", "agent", "agent"),
    ("debug", "measure", "measure"),
    ("show", "library", "library"),
    ("show", "present", "present"),
)

# Pages that bring their own scenario and settings, and say themselves what is shared of them.
ON_ITS_OWN = ("agent", "library", "measure", "present")


def menu() -> list[st.Page]:
    return [
        st.Page(
            f"pages/{folder}/{name}.py",
            title=t(f"page.{name}"),
            url_path=address or None,
            default=not address,
        )
        for folder, name, address in PAGES
    ]


def main() -> None:
    frame.configure()
    if login.is_missing():
        login.draw_welcome()
        return
    state.begin()
    page = st.navigation(menu(), position="top")
    try:
        with frame.boundary(), frame.sidebar():
            login.draw_leave()
            if page.url_path not in ON_ITS_OWN:
                draw_share(view.fill)
                draw_controls()
        with frame.boundary():
            page.run()
        frame.show_notices()
    finally:
        state.finish()
    if state.look_around():
        st.rerun()


if __name__ == "__main__":  # a run of the script, as Streamlit does it for each visitor and each click
    main()
else:  # `streamlit run app.py` itself: it imports the server from here, before anybody visits
    frame.leave_pages_folder_alone()
    app = st.App("app.py", on_script_error=frame.apologize)
