"""Everything that is kept under a name: find it, open it, describe it, take it along."""

import streamlit as st

from ui.library import sharing
from ui.library.carrying import draw_carrying, say_taken
from ui.library.finding import all_kept, matching
from ui.library.kinds import KINDS
from ui.library.listing import draw_list
from ui.library.recent import draw_recent
from ui.one_of import one_of
from ui.sharing.panel import draw_share
from ui.words import number, t

ALL, TRASH = "all", "trash"
kept, thrown = all_kept(), all_kept(trashed=True)

with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
    st.title(t("page.library"), anchor=False)
    st.space("stretch")
    draw_carrying(kept)
say_taken()

counts = {kind: sum(thing.kind == kind for thing in kept) for kind in KINDS}
labels = {ALL: f"{t('library.all')} · {number(len(kept))}"}
labels |= {kind: f"{t(f'library.kinds.{kind}')} · {number(n)}" for kind, n in counts.items() if n}
labels |= {TRASH: f"{t('library.trash_of', count=number(len(thrown)))}"} if thrown else {}
shown = ALL
if kept or thrown:
    with st.container(key="library_find"):
        wanted = st.text_input(
            t("library.find"), key="library.find", placeholder=t("library.find_hint"), label_visibility="collapsed"
        )
    shown = one_of(labels, ALL, label=t("library.kind"), place="library_kind", key="library.kind")
    found = matching(thrown if shown == TRASH else kept, wanted, shown if shown in KINDS else "")
    if found:
        draw_list(found, trashed=shown == TRASH)
    else:
        st.caption(t("library.nothing_found"))
else:
    with st.container(key="library_empty", border=True):
        st.markdown(t("library.empty"))
        for name, page in (("playground", "playground"), ("sources", "sources"), ("compare", "compare")):
            st.page_link(f"pages/debug/{page}.py", label=t(f"library.empty.{name}"), icon=":material/bookmark_add:")
draw_recent()
with st.sidebar:
    draw_share(lambda: sharing.fill(kept))
