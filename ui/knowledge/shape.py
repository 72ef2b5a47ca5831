"""The head of the page: which base, how large; and its foot: how often the caches had what was asked for."""

from __future__ import annotations

import streamlit as st

from ctxcore.memo import Rate
from ctxcore.retrieving.at_hand import milvus_named
from ctxcore.retrieving.knowledge import Knowledge
from ctxcore.retrieving.vectors import shared_vectors
from ui.knowledge import bases, cutting
from ui.knowledge.bases import Base
from ui.signs import sign
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.state import key


def draw_head(base: Base | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(t("page.knowledge"), anchor=False)
        if base is None:
            return
        st.space("stretch")
        names = bases.names()
        with st.container(key="knowledge_base", width=260):
            labels = {name: name for name in names}
            chosen = st.selectbox(
                t("knowledge.base"), names, names.index(base.name), format_func=labels.__getitem__, key=key("base")
            )
        with st.container(key="knowledge_forget", width="content"):
            label = t("knowledge.forget", name=literal(base.name))
            gone = sign(":material/delete:", label, "knowledge.forget", type="tertiary")
    if gone:
        bases.forget(base.name)
        state.notify("knowledge.forgotten", name=literal(base.name))
        st.rerun()
    if chosen != base.name:
        state.change(base=chosen)
        st.rerun()


def draw_caches(knowledge: Knowledge) -> None:
    """Sizes and hit rates in one quiet line."""
    pieces = knowledge.pieces
    sizes = t(
        "knowledge.sizes",
        documents=number(len(knowledge.documents)),
        chunks=number(len(pieces)),
        tokens=number(sum(piece.chunk.tokens for piece in pieces)),
        oversized=number(sum(piece.chunk.oversized for piece in pieces)),
    )
    rates = {"vectors": shared_vectors().rate, "searches": cutting.rate()}
    with st.container(key="knowledge_foot"):
        milvus = [t("knowledge.milvus", where=literal(milvus_named()))] if milvus_named() else []
        st.caption(" · ".join((sizes, *(_rate(name, rate) for name, rate in rates.items() if rate.asked), *milvus)))


def _rate(name: str, rate: Rate) -> str:
    return t(f"knowledge.rate.{name}", found=number(rate.found), asked=number(rate.asked))
