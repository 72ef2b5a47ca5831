"""The walk for a team: one idea a screen, arrow keys to go on."""

from dataclasses import replace

import streamlit as st

from ui.headline import draw_bar, draw_headline
from ui.talk import talk
from ui.views.all import VIEWS
from ui.words import language, literal, t
from ui.workspace import state

AT = "_screen"  # of the session
HEIGHT = 380  # pixels of a view: a projector shows 720 in all
shown = talk("first")
at = min(max(0, int(st.session_state.get(AT, 0))), len(shown.screens) - 1)
screen = shown.screens[at]
lang = language()

with st.container(key="present_bar", horizontal=True, vertical_alignment="center", gap="small"):
    st.caption(literal(shown.title[lang]), width="content")
    st.space("stretch")
    with st.container(key="present_back", width="content"):
        back = st.button(
            t("present.back"), icon=":material/arrow_back:", shortcut="Left", disabled=at == 0, key="present.back"
        )
    st.caption(t("present.step", at=at + 1, all=len(shown.screens)), width="content")
    with st.container(key="present_next", width="content"):
        ahead = st.button(
            t("present.next"),
            icon=":material/arrow_forward:",
            shortcut="Right",
            disabled=at == len(shown.screens) - 1,
            key="present.next",
        )
if back or ahead:
    st.session_state[AT] = at + (1 if ahead else -1)
    st.rerun()

st.title(literal(screen.title[lang]), anchor=False)
with st.container(key="present_say"):
    st.markdown(f"### :gray[{literal(screen.say[lang])}]")
look = replace(screen.looking(shown.scenario), height=HEIGHT)
draw_headline(look, alerts=False)
draw_bar(look)
VIEWS[screen.view](look)
with st.container(key="present_notes"), st.expander(t("present.notes"), icon=":material/record_voice_over:"):
    st.text(screen.notes[lang])
with st.container(key="present_leave"):
    if st.button(t("present.leave"), icon=":material/open_in_new:", type="tertiary", key="present.leave"):
        there = screen.workspace(shown.scenario)
        state.put(**{name: getattr(there, name) for name in there.to_plain() if name != "language"})
        st.switch_page("pages/debug/playground.py")
