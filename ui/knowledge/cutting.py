"""How the documents are cut and searched: size, overlap, retriever; and the vectors that are still missing."""

from __future__ import annotations

import streamlit as st

from ctxcore.errors import CtxError
from ctxcore.memo import Rate
from ctxcore.retrieving.at_hand import milvus_at
from ctxcore.retrieving.choice import RETRIEVERS, retriever_called
from ctxcore.retrieving.held import HeldRetriever
from ctxcore.retrieving.knowledge import Knowledge
from ctxcore.services import Retriever
from ui import jobs
from ui.jobs import Job
from ui.knowledge import bases
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.state import key

SIZES = (50, 75, 100, 150, 200, 300, 400, 600, 800, 1200, 2000)  # tokens
OVERLAPS = (0, 10, 20, 30, 50, 75, 100, 150, 200)
JOB = "_knowledge_job"  # of the session
HELD = 64  # searches of one retriever
BATCH = 16  # texts embedded between two looks at Stop


def draw() -> None:
    now = state.workspace()
    size, overlap, how = st.columns([2, 2, 3], vertical_alignment="bottom")
    with size, st.container(key="knowledge_size"):
        sizes = sorted({*SIZES, now.chunk_size})
        chosen = st.select_slider(t("knowledge.size"), sizes, now.chunk_size, key=key("chunk_size"))
    with overlap, st.container(key="knowledge_overlap"):
        overlaps = sorted({*OVERLAPS, now.chunk_overlap})
        repeated = st.select_slider(t("knowledge.overlap"), overlaps, now.chunk_overlap, key=key("chunk_overlap"))
    with how, st.container(key="knowledge_retriever"):
        names = {name: t(f"knowledge.by.{name}") for name in RETRIEVERS}
        by = st.segmented_control(
            t("knowledge.retriever"),
            RETRIEVERS,
            default=now.retriever if now.retriever in RETRIEVERS else "bm25",
            required=True,
            format_func=names.__getitem__,
            key=key("retriever"),
            help=t("knowledge.retriever_help"),
        )
    state.change(chunk_size=chosen, chunk_overlap=repeated, retriever=by)


def retriever(name: str = "", *, live: bool = False) -> Retriever:
    """The workspace's, or the one named. Not `live`: it asks no model. Raises InputError where none is at hand."""
    found = name or state.workspace().retriever
    return retriever_called(found, bases.remembering(live=live), milvus_at())


def held(found: Retriever) -> HeldRetriever:
    """The same, which searches once for a question."""
    return _held(found.fingerprint, found)


@st.cache_resource(max_entries=16, show_spinner=False)
def _held(fingerprint: str, _found: Retriever) -> HeldRetriever:
    return HeldRetriever(_found, HELD)


def rate() -> Rate:
    """Of the searches that the page has made with the workspace's retriever."""
    try:
        return held(retriever()).rate
    except CtxError:
        return Rate()


def draw_missing(knowledge: Knowledge) -> bool:
    """Whether the vectors that the retriever needs are there; if not, the button that has them made."""
    if state.workspace().retriever == "bm25":
        return True
    if (embedder := bases.remembering(live=True)) is None:
        st.info(t("knowledge.no_embedder"), icon=":material/hub:")
        return False
    running = jobs.job(st.session_state.get(JOB))
    if running and not running.done:
        _poll()
        return False
    if running and running.error:
        st.error(literal(running.error), icon=":material/error:")
    missing = embedder.missing(knowledge.texts)
    if not missing:
        return True
    with st.container(key="knowledge_embed", horizontal=True, vertical_alignment="center"):
        name = literal(str(getattr(embedder.embedder, "name", "")))
        wanted = st.button(
            t("knowledge.embed", count=number(len(missing)), name=name), icon=":material/hub:", key="knowledge.embed"
        )
        st.caption(t("knowledge.embed_help"))

    def work(job: Job) -> int:
        for start in range(0, len(missing), BATCH):
            if job.stopped:
                break
            embedder.embed(missing[start : start + BATCH])
            job.parts = [min(1.0, (start + BATCH) / len(missing))]
        return len(missing)

    if wanted:
        st.session_state[JOB] = jobs.start("embeddings", work).id
        st.rerun()
    return False


@st.fragment(run_every=0.6)
def _poll() -> None:
    running = jobs.job(st.session_state.get(JOB))
    if running is None or running.done:
        st.rerun()
    with st.container(key="knowledge_embedding", horizontal=True, vertical_alignment="center"):
        st.progress(running.parts[-1] if running.parts else 0.0, text=t("knowledge.embedding"))
        if st.button(t("knowledge.stop"), icon=":material/stop:", key="knowledge.stop"):
            running.halt.set()
