"""The chunks of a document as they are, each with what it repeats of the one before it."""

from __future__ import annotations

import streamlit as st

from ctxcore.retrieving.knowledge import Knowledge, Piece
from ui.sources.paging import page_of
from ui.words import literal, number, t


def draw(knowledge: Knowledge) -> None:
    titles = [record.title for record in knowledge.documents]
    with st.container(key="knowledge_document"):
        labels = dict(enumerate(titles))
        chosen = st.selectbox(
            t("knowledge.document"), range(len(titles)), format_func=labels.__getitem__, key="knowledge.document"
        )
    pieces = [piece for piece in knowledge.pieces if piece.document == chosen]
    if not pieces:
        return
    for at in page_of("chunks", f"{chosen}", range(len(pieces))):
        _piece(pieces[at], pieces[at - 1].chunk.end if at else 0)


def _piece(piece: Piece, before: int) -> None:
    chunk = piece.chunk
    repeated = max(0, before - chunk.start)
    with st.container(border=True, key=f"knowledge_chunk_{piece.number}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(str(piece.number), width="content")
            st.caption(t("sources.tokens", shown=number(chunk.tokens)), width="content")
            if chunk.heading:
                st.caption(literal(chunk.heading), width="content")
            if chunk.oversized:
                st.badge(t("knowledge.oversized"), color="orange")
        if repeated:
            st.caption(f"↻ {literal(chunk.text[:repeated].strip())}")
        st.code(chunk.text[repeated:].strip("\n"), language=None, wrap_lines=True)
