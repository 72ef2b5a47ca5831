"""Present: a talk, one idea a screen, arrow keys to go on; the place in it is in the address."""

from dataclasses import replace

import streamlit as st

from ui.headline import draw_bar, draw_headline
from ui.sharing.panel import draw_share
from ui.talks import sharing, stage_flow
from ui.talks.all import first, talk, titles
from ui.talks.place import full_screen, place, turn
from ui.views.all import VIEWS
from ui.words import literal, t
from ui.workspace import state

HEIGHT = 380  # pixels of a view: a projector shows 720 in all

names = titles()
name, at = place(names, first())
shown = talk(name)
at = min(at, len(shown.screens) - 1)
screen = shown.screens[at]

with st.container(key="present_bar", horizontal=True, vertical_alignment="center", gap="small"):
    with st.container(key="present_talk", width=420):
        chosen = st.selectbox(
            t("talk.pick"),
            list(names),
            list(names).index(name),
            format_func=names.__getitem__,
            key=f"present.talk.{name}",
            label_visibility="collapsed",
        )
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
    full_screen()
if chosen != name:
    turn(chosen, 0)
if back or ahead:
    turn(name, at + (1 if ahead else -1))

st.title(literal(screen.title), anchor=False)
with st.container(key="present_say"):
    st.markdown(f"### :gray[{literal(screen.say)}]")
look = screen.looking(HEIGHT)
draw_headline(look, alerts=False)
draw_bar(look)
{**VIEWS, "flow": stage_flow.draw}[screen.view](look)
if screen.notes:
    with st.container(key="present_notes"), st.expander(t("present.notes"), icon=":material/record_voice_over:"):
        st.text(screen.notes)
if screen.there:
    with st.container(key="present_leave"):
        if st.button(t("present.leave"), icon=":material/open_in_new:", type="tertiary", key="present.leave"):
            there = replace(screen.there, view="items") if screen.view == "flow" else screen.there
            state.put(**{name: getattr(there, name) for name in there.to_plain() if name != "language"})
            st.switch_page("pages/debug/playground.py")
with st.sidebar:
    draw_share(lambda: sharing.fill(name, shown, at))
