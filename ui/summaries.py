"""Summaries by a model: asked for with a click, never by a drag or a reload; what was paid for once is remembered."""

from __future__ import annotations

import streamlit as st

from ctxcore.build import build
from ctxcore.defaults import built_in_services
from ctxcore.endpoint import Endpoint
from ctxcore.errors import CtxError
from ctxcore.model_compressor import ModelCompressor
from ctxcore.services import Services
from ctxcore.trace import Trace
from ui import jobs
from ui.jobs import Job
from ui.models import model_at_hand
from ui.words import number, t

JOB, WANTED = "_summary_job", "_summaries"  # of the session


@st.cache_resource(max_entries=8, show_spinner=False)
def _compressor(fingerprint: str, _endpoint: Endpoint, live: bool) -> ModelCompressor:
    """One for each endpoint, so that its answers are there for the next move of a slider."""
    return ModelCompressor(_endpoint, built_in_services().compressor, live=live)


def services() -> Services | None:
    """None: the built-in ones. With a model, those that know its answers but spend nothing."""
    if not st.session_state.get(WANTED):
        return None
    try:
        endpoint = model_at_hand()
    except CtxError:
        return None
    return (
        Services(_compressor(endpoint.fingerprint, endpoint, False), built_in_services().retriever)
        if endpoint
        else None
    )


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
            t("summary.by_model", name=endpoint.name),
            value=bool(st.session_state.get(WANTED)),
            key="summary.wanted",
            help=t("summary.help"),
        )
        if wanted != bool(st.session_state.get(WANTED)):
            st.session_state[WANTED] = wanted
            st.rerun()
        todo = [
            problem
            for snapshot in trace.snapshots
            for problem in snapshot.problems
            if problem.rule == "model-not-called"
        ]
        if wanted and todo:
            _button(
                endpoint,
                trace,
                sum(int(p.facts["calls"]) for p in todo),
                sum(int(p.facts["prompt_tokens"]) for p in todo),
            )
    _progress()


def _button(endpoint: Endpoint, trace: Trace, calls: int, tokens: int) -> None:
    running = jobs.job(st.session_state.get(JOB))
    if st.button(
        t("summary.call", calls=calls, tokens=number(tokens)),
        icon=":material/paid:",
        key="summary.call",
        disabled=bool(running and not running.done),
    ):
        spending = _compressor(endpoint.fingerprint, endpoint, True)
        settings, scenario = trace.settings, trace.scenario

        def work(job: Job) -> Trace:
            return build(scenario, settings, services=Services(spending, built_in_services().retriever))

        st.session_state[JOB] = jobs.start("summaries", work).id
        st.rerun()


def _progress() -> None:
    running = jobs.job(st.session_state.get(JOB))
    if running is None:
        return
    if running.done:
        if running.error:
            st.text(running.error)
        st.session_state.pop(JOB)
        st.rerun()
    _poll()


@st.fragment(run_every=0.6)
def _poll() -> None:
    running = jobs.job(st.session_state.get(JOB))
    st.caption(t("summary.working"))
    if running is None or running.done:
        st.rerun()
