"""How well the retriever finds what is known to be right: measures on a question set, and what chunk size does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ctxcore.model.replies import ModelError
from ctxcore.retrieving.choice import RETRIEVERS
from ctxcore.retrieving.knowledge import Knowledge
from ctxcore.retrieving.measures import Measures
from ctxcore.retrieving.questions import Answered, answered, measures_of, read_questions
from ctxcore.retrieving.vectors import NotEmbeddedError
from ui import jobs
from ui.charts import draw_chart
from ui.jobs import Job
from ui.knowledge import bases, cutting
from ui.knowledge.bases import Base
from ui.tables import draw_table
from ui.words import literal, number, t
from ui.workspace import state

SIZES = (75, 150, 300, 600, 1200)  # tokens
SEEN, JOB = "_knowledge_questions_seen", "_knowledge_measuring"  # of the session
Result = tuple[dict[str, Measures], dict[int, Measures], list[Answered]]


def draw(base: Base, knowledge: Knowledge) -> None:
    _take_in(base)
    if not base.questions:
        st.caption(t("knowledge.no_questions"))
        return
    with st.container(key="knowledge_measure_bar", horizontal=True, vertical_alignment="bottom"):
        st.caption(t("knowledge.questions", count=number(len(base.questions))), width="content")
        with st.container(key="knowledge_measure_k", width=110):
            k = int(st.number_input(t("knowledge.k"), 1, 20, 5, key="knowledge.measure_k"))
        with st.container(key="knowledge_measure", width="content"):
            wanted = st.button(t("knowledge.measure"), type="primary", icon=":material/speed:", key="knowledge.measure")
    about = f"measure {base.revision} {knowledge.chunking} {k} {state.workspace().retriever}"
    if wanted:
        _start(about, base, knowledge, k)
    running = jobs.job(st.session_state.get(JOB))
    if running is None or running.about != about:
        return
    if not running.done:
        _poll()
    elif running.error:
        st.error(literal(running.error), icon=":material/error:")
    else:
        _shown(*running.result, knowledge, k)


def _take_in(base: Base) -> None:
    with st.container(key="knowledge_questions"):
        file = st.file_uploader(
            t("knowledge.question_set"), type=["json", "jsonl", "csv"], key="knowledge.question_set"
        )
    if file and st.session_state.get(SEEN) != file.file_id:
        questions = read_questions(file.getvalue(), file.name)
        st.session_state[SEEN] = file.file_id
        bases.keep(base.name, base.documents, questions)
        st.rerun()


def _start(about: str, base: Base, knowledge: Knowledge, k: int) -> None:
    """On a thread: some seconds for some hundred questions. A model is asked for the questions' vectors only where
    those of the chunks are there."""
    embedder, chosen = bases.remembering(live=True), state.workspace().retriever
    ready = embedder is not None and chosen != "bm25" and not embedder.missing(knowledge.texts)
    others = {size: bases.cut(base, size, min(20, size // 5)) for size in SIZES}

    def work(job: Job) -> Result:
        names = RETRIEVERS if ready else ("bm25",)
        found = {name: answered(knowledge, base.questions, cutting.retriever(name, live=True), k) for name in names}
        sizes = {size: _at(other, base, chosen if ready else "bm25", k) for size, other in others.items()}
        known = {size: one for size, one in sizes.items() if one}
        return {name: measures_of(rows) for name, rows in found.items()}, known, found[chosen if ready else "bm25"]

    st.session_state[JOB] = jobs.start(about, work).id
    st.rerun()


def _at(knowledge: Knowledge, base: Base, name: str, k: int) -> Measures | None:
    """With chunks of another size; None where their vectors are not known."""
    try:
        if name == "hybrid":  # which would go on without the vectors
            cutting.retriever("embedding").search("?", knowledge.texts, 1)
        return measures_of(answered(knowledge, base.questions, cutting.retriever(name), k))
    except (NotEmbeddedError, ModelError):
        return None


def _shown(
    measures: dict[str, Measures], sizes: dict[int, Measures], rows: Sequence[Answered], knowledge: Knowledge, k: int
) -> None:
    with st.container(key="knowledge_measures"):
        draw_table(
            [
                {t("knowledge.retriever"): t(f"knowledge.by.{name}"), **_numbers(one, k)}
                for name, one in measures.items()
            ],
            key="knowledge.measures",
        )
    left, right = st.columns([3, 2])
    with left, st.container(key="knowledge_sizes"):
        draw_chart(_chart(sizes, knowledge.chunking.size, k), key="knowledge.sizes")
    with right, st.container(key="knowledge_missed"):
        missed = [one for one in rows if one.measures.recall == 0]
        st.markdown(t("knowledge.missed", count=len(missed), all=len(rows), k=k))
        with st.container(height=300):
            for one in missed:
                st.text(one.question.text)
                st.caption(
                    literal(t("knowledge.wanted", names="; ".join(one.question.holds or one.question.documents)))
                )


def _numbers(one: Measures, k: int) -> dict[str, float]:
    named = {f"recall@{k}": one.recall, f"precision@{k}": one.precision, "MRR": one.mrr, f"nDCG@{k}": one.ndcg}
    return {name: round(value, 3) for name, value in named.items()}


def _chart(sizes: dict[int, Measures], now: int, k: int) -> Any:
    import plotly.graph_objects as go

    chart = go.Figure()
    for name, colour in (
        (f"recall@{k}", "#3b6fe0"),
        ("MRR", "#0f9d72"),
        (f"nDCG@{k}", "#8b5cf6"),
        (f"precision@{k}", "#d9722e"),
    ):
        values = [_numbers(one, k)[name] for one in sizes.values()]
        chart.add_scatter(x=list(map(str, sizes)), y=values, name=name, mode="lines+markers", line={"color": colour})
    chart.update_layout(
        height=340,
        margin={"t": 56, "b": 40, "l": 8, "r": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": t("knowledge.size_axis"), "type": "category", "fixedrange": True},
        yaxis={"range": [0, 1.02], "fixedrange": True},
    )
    return chart


@st.fragment(run_every=0.5)
def _poll() -> None:
    running = jobs.job(st.session_state.get(JOB))
    st.caption(t("knowledge.measuring"))
    if running is None or running.done:
        st.rerun()
