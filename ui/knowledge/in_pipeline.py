"""The retriever of the workspace in the pipeline: it asks no model while a page is drawn, but by a click."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from ctxcore.build import build
from ctxcore.defaults import built_in_services
from ctxcore.errors import CtxError
from ctxcore.services import Services
from ctxcore.trace import Trace
from ui import jobs
from ui.jobs import Job
from ui.knowledge import bases, cutting
from ui.words import literal, t
from ui.workspace import state
from ui.workspace.workspace import Workspace

JOB = "_embedding_job"  # of the session


def with_retriever(services: Services | None, workspace: Workspace, *, live: bool = False) -> Services | None:
    """The services with the retriever that the workspace names; as they are where that one cannot be had."""
    if workspace.retriever == "bm25":
        return services
    try:
        found = cutting.retriever(workspace.retriever, live=live)
    except CtxError:
        return services
    return replace(services or built_in_services(), retriever=found)


def draw_embedding(trace: Trace, services: Services | None) -> None:
    """Where the run lacked vectors: the button that has them made."""
    now = state.workspace()
    lacking = any(problem.rule == "retriever-failed" for snapshot in trace.snapshots for problem in snapshot.problems)
    if now.retriever == "bm25" or not lacking or (embedder := bases.embedder()) is None:
        return
    running = jobs.job(st.session_state.get(JOB))
    if running and not running.done:
        _poll()
        return
    if running and running.error:
        st.error(literal(running.error), icon=":material/error:")
    with st.container(key="embed_scenario"):
        wanted = st.button(
            t("knowledge.embed_scenario", name=literal(embedder.name)), icon=":material/hub:", key="embed.scenario"
        )
    if wanted:
        asking, settings, scenario = with_retriever(services, now, live=True), trace.settings, trace.scenario

        def work(job: Job) -> None:
            build(scenario, settings, services=asking)

        st.session_state[JOB] = jobs.start("embeddings of a scenario", work).id
        st.rerun()


@st.fragment(run_every=0.6)
def _poll() -> None:
    running = jobs.job(st.session_state.get(JOB))
    st.caption(t("knowledge.embedding"))
    if running is None or running.done:
        st.rerun()
