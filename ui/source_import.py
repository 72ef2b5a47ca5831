"""Takes in what people have: a pasted text or a dropped file of any format that ctxcore reads."""

from __future__ import annotations

import json

import streamlit as st

from ctxcore import importing
from ctxcore.errors import InputError
from ctxcore.scenario import Scenario
from ui import state
from ui.frame import boundary
from ui.scenarios import open_scenario
from ui.words import literal, number, t

MAX_BYTES = 50 * 1024 * 1024  # as in .streamlit/config.toml, which only the browser obeys
DROPS = "_sources_drops"  # how many files were taken in: a new uploader each time, or the file would come again


def take_in() -> None:
    st.caption(t("sources.formats"))
    which = _which_conversation()
    with st.container(key="sources_drop"):
        drops = st.session_state.setdefault(DROPS, 0)
        file = st.file_uploader(t("sources.drop"), key=f"sources.drop.{drops}", max_upload_size=50)
    if file is not None:
        with boundary():
            _check_size(file.size)
            scenario = importing.loads(file.getvalue(), name=file.name, conversation=which)
            st.session_state[DROPS] = drops + 1
            _open(scenario)
    with st.container(key="sources_paste"):
        text = st.text_area(t("sources.paste"), height=220, key="sources.paste", placeholder=t("sources.paste_hint"))
    with st.container(key="sources_open"):
        wanted = st.button(t("sources.open"), type="primary", icon=":material/input:", key="sources.open")
    if wanted and text:
        with boundary():
            _check_size(len(text.encode("utf-8", "replace")))
            _open(importing.loads(text, name=t("sources.pasted"), conversation=which))


def export(scenario: Scenario) -> None:
    with st.container(key="sources_download"):
        st.download_button(
            t("sources.download"),
            lambda: json.dumps(scenario.to_json(), ensure_ascii=False, indent=1).encode("utf-8", "replace"),
            file_name=f"{scenario.name or 'scenario'}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
        )


def show_warnings(scenario: Scenario) -> None:
    """What the import had to leave out or repair."""
    if scenario.warnings:
        with st.expander(t("sources.warnings", count=len(scenario.warnings)), icon=":material/warning:"):
            st.text("\n".join(scenario.warnings))


def _which_conversation() -> int | None:
    with st.container(key="sources_conversation_number", width=360):
        return st.number_input(
            t("sources.conversation_number"), min_value=0, value=None, step=1, key="sources.conversation_number"
        )


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise InputError(
            f"The file has {number(size)} bytes, more than the {number(MAX_BYTES)} that the app takes: "
            "use the command line for it, or cut it."
        )


def _open(scenario: Scenario) -> None:
    open_scenario(scenario)
    state.notify("sources.opened", name=literal(scenario.name), count=len(scenario.messages))
    st.rerun()
