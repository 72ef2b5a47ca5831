"""Summaries by a model: asked for with a click, never by a drag or a reload; what was paid for once is remembered."""

from __future__ import annotations

import streamlit as st

from ctxcore.build import build
from ctxcore.compressing.answers import answers_from_env
from ctxcore.counting.models import model
from ctxcore.decision import Problem
from ctxcore.defaults import model_services
from ctxcore.errors import CtxError
from ctxcore.model.endpoint import Endpoint
from ctxcore.services import Services
from ctxcore.trace import Trace
from ui import jobs
from ui.jobs import Job
from ui.settings.models import model_at_hand
from ui.words import literal, number, t

JOB, WANTED = "_summary_job", "_summaries"  # of the session


def services() -> Services | None:
    """None: the built-in ones. With a model, those that know its answers but spend nothing."""
    if not st.session_state.get(WANTED):
        return None
    try:
        endpoint = model_at_hand()
    except CtxError:
        return None
    return model_services(endpoint, live=False) if endpoint else None


def draw_spending(trace: Trace) -> None:
    """A switch where a model is at hand; and, where the run would call it, the button that does."""
    try:
        endpoint = model_at_hand()
    except CtxError:
        return
    if endpoint is None:
        return
    with st.container(key="summaries", horizontal=True, vertical_alignment="center", gap="small"):
        wanted = st.toggle(
            t("summary.by_model", name=literal(endpoint.name)),
            value=bool(st.session_state.get(WANTED)),
            key="summary.wanted",
            help=t("summary.help"),
        )
        if wanted != bool(st.session_state.get(WANTED)):
            st.session_state[WANTED] = wanted
            st.rerun()
        todo = [one for snapshot in trace.snapshots for one in snapshot.problems if one.rule == "model-not-called"]
        if wanted and todo:
            _button(endpoint, trace, todo)
        if wanted and (kept := answers_from_env().statistics()).rate is not None:
            st.caption(t("summary.cache", entries=number(kept.entries), rate=f"{100 * kept.rate:.0f}"), width="content")
    _progress()


def _button(endpoint: Endpoint, trace: Trace, todo: list[Problem]) -> None:
    running = jobs.job(st.session_state.get(JOB))
    if st.button(
        _label(endpoint, todo),
        icon=":material/paid:",
        key="summary.call",
        disabled=bool(running and not running.done),
    ):
        spending, settings, scenario = model_services(endpoint, live=True), trace.settings, trace.scenario

        def work(job: Job) -> Trace:
            return build(scenario, settings, services=spending)

        st.session_state[JOB] = jobs.start("summaries", work).id
        st.rerun()


def _label(endpoint: Endpoint, todo: list[Problem]) -> str:
    """What it would take: calls, tokens, and cents where the model's price is known."""
    calls, tokens, answer = (sum(int(p.facts[f]) for p in todo) for f in ("calls", "prompt_tokens", "reply_tokens"))
    known = model(endpoint.name)
    if known.input_price is None or known.output_price is None:
        return t("summary.call", calls=calls, tokens=number(tokens))
    cents = (tokens * known.input_price + answer * known.output_price) / 10_000  # from dollars for a million
    return t("summary.call_price", calls=calls, tokens=number(tokens), cents=f"{cents:.2f}")


def _progress() -> None:
    running = jobs.job(st.session_state.get(JOB))
    if running is None:
        return
    if not running.done:
        _poll()
    elif running.error:  # shown until the next click
        st.error(literal(running.error), icon=":material/error:")
    else:
        st.session_state.pop(JOB)
        st.rerun()


@st.fragment(run_every=0.6)
def _poll() -> None:
    running = jobs.job(st.session_state.get(JOB))
    st.caption(t("summary.working"))
    if running is None or running.done:
        st.rerun()
