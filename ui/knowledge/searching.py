"""A question put to the knowledge base: what is found, how near it is, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from ctxcore.retrieving.knowledge import Found, Knowledge, records_of
from ctxcore.retrieving.reasons import Reason, reasons
from ctxcore.scenario import Scenario
from ui.knowledge import bases, cutting
from ui.sources import editing
from ui.sources.scenarios import save_scenario, scenario_of
from ui.words import literal, number, t
from ui.workspace import state

_BLANK = re.compile(r"\n\s*\n")
MOST = 20  # hits
TERMS = 8  # of a hit, that are named


def draw(knowledge: Knowledge) -> None:
    scenario = scenario_of(state.workspace())
    with st.form("knowledge_search", border=False):
        wide, narrow, last = st.columns([7, 1, 1], vertical_alignment="bottom")
        with wide, st.container(key="knowledge_query"):
            query = st.text_input(t("knowledge.query"), _question(scenario), key="knowledge.query")
        with narrow, st.container(key="knowledge_k"):
            k = st.number_input(t("knowledge.k"), 1, MOST, 5, key="knowledge.k")
        with last, st.container(key="knowledge_find"):
            asked = st.form_submit_button(t("knowledge.find"), icon=":material/search:", type="primary")
    if not query.strip() or not cutting.draw_missing(knowledge):
        return
    retriever = cutting.retriever()
    embedder = bases.remembering(live=True)
    if state.workspace().retriever != "bm25" and embedder and embedder.missing([query], query=True):
        if not asked:  # a model is asked by a click, never by a reload
            st.caption(t("knowledge.press"))
            return
        embedder.embed([query], query=True)
    found = knowledge.search(query, cutting.held(retriever), int(k))
    if not found:
        st.info(t("knowledge.nothing"), icon=":material/search_off:")
        return
    _use(scenario, found)
    st.caption(t(f"knowledge.scale.{state.workspace().retriever}", threshold=retriever.threshold))
    why = reasons(query, knowledge.texts, retriever, [one.hit for one in found])
    for one, because in zip(found, why, strict=True):
        _hit(one, because, found[0].hit.score)


def _question(scenario: Scenario) -> str:
    at = editing.question_at(scenario)
    return "" if at is None else " ".join(editing.texts_of(scenario.messages[at]))[:300]


def _use(scenario: Scenario, found: Sequence[Found]) -> None:
    records = records_of(found)
    with st.container(key="knowledge_use", horizontal=True, vertical_alignment="center", gap="small"):
        label = t("knowledge.use", count=len(records), name=literal(scenario.name))
        replace = st.button(label, icon=":material/swap_horiz:", key="knowledge.use", help=t("knowledge.use_help"))
        add = st.button(t("knowledge.add_to"), icon=":material/add:", key="knowledge.add_to", type="tertiary")
    if replace or add:
        bare = scenario.edited(documents=()) if replace else scenario
        save_scenario(bare.with_documents(records), renew=True)
        state.notify("knowledge.used", count=len(records), name=literal(scenario.name))
        st.rerun()


def _hit(found: Found, because: Sequence[Reason], best: float) -> None:
    piece = found.piece
    with st.container(border=True, key=f"knowledge_hit_{found.rank}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(str(found.rank), color="gray" if found.repeats else "blue")
            st.text(piece.name, width="content")
            st.space("stretch")
            st.caption(t("sources.tokens", shown=number(piece.chunk.tokens)), width="content")
            st.progress(min(1.0, found.hit.score / best) if best > 0 else 0.0, text=f"{found.hit.score:.3f}", width=140)
        if found.repeats:
            st.caption(t("knowledge.repeats", name=literal(found.repeats)))
        if piece.chunk.heading:
            st.caption(literal(piece.chunk.heading))
        st.text(_BLANK.sub("\n\n", piece.chunk.text.strip()))
        if line := " · ".join(_says(because)):
            st.caption(line)


def _says(because: Sequence[Reason]) -> list[str]:
    placed = [
        t(f"knowledge.why.{one.kind}", name=_name(one.name), value=_value(one)) for one in because if one.kind != "term"
    ]
    terms = [f"{literal(one.name)} {one.value:.2f}" for one in because if one.kind == "term"]
    return [*placed, *([t("knowledge.why.terms", terms="  ".join(terms[:TERMS]))] if terms else [])]


def _name(name: str) -> str:
    return t(f"knowledge.by.{name}") if name in ("bm25", "embedding") else literal(name)


def _value(reason: Reason) -> str:
    return f"{reason.value:.0f}" if reason.kind == "rank" else f"{reason.value:.3f}"
