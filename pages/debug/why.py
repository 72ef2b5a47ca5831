"""Where did this text go, what would bring it back, and what keeps that one in?"""

import streamlit as st

from ctxcore.explaining.why import story, story_of
from ui.runs import trace_of
from ui.why.cures import draw_cures
from ui.why.facts import draw_facts
from ui.why.marks import draw_marks
from ui.why.sought import generation, show_in_address, sought, typed
from ui.why.story import LIGHTS, draw_lights, draw_story
from ui.words import t
from ui.workspace import state

MOST = 8  # items that hold the text
trace = trace_of(state.workspace())
items = {item.id: item for item in (*trace.inputs, *trace.final.items)}
known = sought()

st.title(t("page.why"), anchor=False)
with st.container(key="why_text"):
    text = st.text_input(
        t("why.text"), known, key=f"why.text.{generation()}", placeholder=t("why.hint"), label_visibility="collapsed"
    ).strip()
typed(text)
show_in_address(text)

main, side = st.columns([3, 2], gap="medium")
with side:
    draw_facts(trace)
about = None  # of which what would change its fate is told last: that takes longest
if not text:
    with main:
        st.info(t("why.nothing"), icon=":material/help:")
elif text in items:
    told = story_of(trace, text)
    if items[text].text and not items[text].is_media:
        about = story(trace, items[text].text)
    with main:
        draw_story(trace, told)
        draw_marks(trace, items[text], lost=told.end == "lost")
else:
    found = about = story(trace, text)
    with main:
        if not found.found:
            st.warning(t("why.not_found"), icon=":material/search_off:")
        else:
            with st.container(key="why_verdict", horizontal=True, vertical_alignment="center", gap="xsmall"):
                colour = LIGHTS[found.fate][0]
                st.markdown(f"#### :{colour}[{t(f'why.fate.{found.fate}')}]", width="content")
                draw_lights(found.lights)
            for one in found.stories[:MOST]:
                draw_story(trace, one)
            if len(found.stories) > MOST:
                st.caption(t("why.more", count=len(found.stories) - MOST))
            if len(found.stories) == 1 and found.stories[0].item in items:
                draw_marks(trace, items[found.stories[0].item], lost=found.fate == "lost")
if about and about.found:
    with main:
        draw_cures(trace, about)
