"""Texts that must stay: listed in the scenario, and whether each is still there after every stage."""

from __future__ import annotations

import streamlit as st

from ctxcore.trace import Trace
from ui.alerts import lights_of_facts
from ui.signs import sign
from ui.sources.scenarios import save_scenario, scenario_of
from ui.why.sought import seek
from ui.why.story import draw_lights
from ui.words import literal, t
from ui.workspace import state

LONGEST = 400  # characters of one


def draw_facts(trace: Trace) -> None:
    st.markdown(t("facts.title"), help=t("facts.help"))
    for at, (text, lights) in enumerate(lights_of_facts(trace).items()):
        with st.container(border=True, key=f"why_fact_{at}", gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                if st.button(literal(text), key=f"facts.see.{at}", type="tertiary", help=t("facts.see")):
                    seek(text)
                    st.rerun()
                st.space("stretch")
                if sign(":material/delete:", t("facts.remove"), f"facts.remove.{at}", of=text, type="tertiary"):
                    _save(tuple(one for one in trace.scenario.must_keep if one != text))
            with st.container(horizontal=True, gap="xsmall"):
                draw_lights(lights)
    _add(trace)


def _add(trace: Trace) -> None:
    with (
        st.container(key="why_fact_add"),
        st.form("facts.new", clear_on_submit=True, border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        text = st.text_input(
            t("facts.add"), key="facts.text", placeholder=t("facts.hint"), label_visibility="collapsed"
        )
        added = st.form_submit_button(t("facts.add"), icon=":material/add:")
    text = text.strip()[:LONGEST]
    if added and text and text not in trace.scenario.must_keep:
        _save((*trace.scenario.must_keep, text))


def _save(texts: tuple[str, ...]) -> None:
    save_scenario(scenario_of(state.workspace()).edited(must_keep=texts), renew=True)
    st.rerun()
