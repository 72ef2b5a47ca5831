"""Which run, step and window the address asks for; so that a reload or a link opens the same."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ui.agent.episodes import WINDOWS
from ui.agent.pick import PICKED, follow

RUN, STEP, TOKENS = "run", "step", "tokens"
WINDOW = "agent.window"  # key of the slider
FIRST = 8_000  # tokens
LINKED = "_agent_linked"  # of the session: what the address said last


def arrive() -> None:
    """Before anything is drawn: picks what a link asks for, once."""
    asked = {name: str(st.query_params.get(name, "")) for name in (RUN, STEP, TOKENS)}
    if any(asked.values()) and asked != st.session_state.get(LINKED):
        if asked[RUN] in ("managed", "unmanaged") and asked[STEP].isascii() and asked[STEP].isdigit():
            follow(asked[RUN], int(asked[STEP][:3]))
        if asked[TOKENS] in map(str, WINDOWS):
            st.session_state[WINDOW] = int(asked[TOKENS])
    st.session_state.setdefault(WINDOW, FIRST)


def now() -> Mapping[str, str]:
    run, at = st.session_state[PICKED]
    return {RUN: run, STEP: str(at), TOKENS: str(st.session_state[WINDOW])}


def keep(is_linked: bool) -> None:
    """Writes it into the address; a run of the model at hand is in no link."""
    said = dict(now()) if is_linked else {}
    st.session_state[LINKED] = said
    there = {name: st.query_params[name] for name in (RUN, STEP, TOKENS) if name in st.query_params}
    if said and said != there:
        st.query_params.update(said)
    for name in there.keys() - said.keys():
        del st.query_params[name]
