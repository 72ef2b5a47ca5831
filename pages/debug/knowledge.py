"""What is there to retrieve from? Documents, their chunks, and how well a question finds them."""

import streamlit as st

from ui.frame import boundary
from ui.knowledge import bases, chunk_list, cutting, measuring, searching, taking_in
from ui.knowledge.shape import draw_caches, draw_head
from ui.one_of import one_of
from ui.words import t
from ui.workspace import state

VIEWS = ("search", "chunks", "measure", "documents")
base = bases.current()
draw_head(base)
taking_in.show_problems()
if base is None:
    st.caption(t("knowledge.about"))
    taking_in.draw(None)
else:
    cutting.draw()
    labels = {view: t(f"knowledge.view.{view}") for view in VIEWS}
    view = one_of(labels, "search", label=t("page.knowledge"), place="knowledge_view", key="knowledge.view")
    with boundary():
        knowledge = bases.knowledge_of(base)
        if view == "search":
            searching.draw(knowledge)
        elif view == "chunks":
            chunk_list.draw(knowledge)
        elif view == "measure":
            if cutting.draw_missing(knowledge) or state.workspace().retriever == "bm25":
                measuring.draw(base, knowledge)
        else:
            taking_in.draw(base)
    draw_caches(knowledge)
