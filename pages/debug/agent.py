"""The ReAct run, step by step, with the window filling up; with and without management, scripted or with a model."""

import streamlit as st

from ctxcore.agent.metrics import compared
from ui.agent import place, sharing, strips
from ui.agent.episodes import WINDOWS, pick_player, runs_of, scripted
from ui.agent.live import draw_bill, draw_live
from ui.agent.pick import draw_timeline, pick_step
from ui.agent.step import draw_step
from ui.agent.table import draw_findings, draw_metrics
from ui.settings.models import draw_model
from ui.sharing.panel import draw_share
from ui.words import language, literal, number, t

lang = language()
place.arrive()
task = scripted(lang)
with st.container(horizontal=True, vertical_alignment="bottom"):
    st.title(literal(task.title), anchor=False)
    st.space("stretch")
    with st.container(key="agent_window", width=240):
        labels = {tokens: number(tokens) for tokens in WINDOWS}
        window = st.select_slider(t("control.window"), list(labels), key=place.WINDOW, format_func=labels.__getitem__)
with st.container(key="agent_who", horizontal=True, vertical_alignment="center", gap="small"):
    who = st.container(width="content")
    endpoint = draw_model(t("agent.no_model"))
    with who:
        asked = pick_player(endpoint)
if asked is None:
    st.caption(literal(task.about))
managed, unmanaged = draw_live(asked, task, window) if asked else runs_of(lang, window)

if managed or unmanaged:
    draw_timeline(managed, unmanaged)
    steps, at = pick_step(managed, unmanaged)
    draw_step(steps[at - 1], steps[at - 2] if at > 1 else None)
    if asked:
        draw_bill(steps[at - 1])
    strips.draw(managed or unmanaged)
    draw_metrics(compared(managed, unmanaged))
    draw_findings(managed, unmanaged)
    place.keep(is_linked=asked is None)
    with st.sidebar:
        draw_share(lambda: sharing.fill(steps, at, is_linked=asked is None))
