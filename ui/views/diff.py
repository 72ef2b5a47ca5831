"""This stage against any other: items first, then lines, then words; Chinese by the character."""

from __future__ import annotations

import streamlit as st

from ctxcore.comparing.rows import diff_rows
from ctxcore.decision import Action
from ctxcore.diff import diff
from ctxcore.findings.prefix import cached_prefix
from ctxcore.trace import Trace
from ui.components import diff_view
from ui.looking import Looking
from ui.stages.steps import names_of
from ui.words import language, literal, number, t


def draw(look: Looking) -> None:
    names = names_of(look.trace)
    here = names[look.at]
    others = [name for name in names if name != here]
    if not others:
        st.info(t("diff.only_one"), icon=":material/info:")
        return
    before_it = names[look.at - 1] if look.at else others[0]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="diff_with", width=260):
            other = st.selectbox(
                t("diff.with"),
                others,
                index=others.index(before_it),
                key=f"diff.with.{here}",
                label_visibility="collapsed",
            )
        first, second = sorted((names.index(other), look.at))
        before, after = look.trace.snapshots[first].items, look.trace.snapshots[second].items
        found = diff(before, after)
        st.caption(
            t(
                "diff.summary",
                added=len(found.added),
                removed=len(found.removed),
                changed=len(found.changed),
                moved=len(found.moved),
                before=number(found.tokens_before),
                after=number(found.tokens_after),
            ),
            width="content",
        )
    _prefix(look.trace)
    actions = {
        d.item: str(d.action)
        for snapshot in look.trace.snapshots[first + 1 : second + 1]
        for d in snapshot.decisions
        if d.action not in (Action.KEPT, Action.MOVED)
    }
    with st.container(key="view_diff"):
        diff_view(diff_rows(before, after, actions), look.mount("diff", 600), before=names[first], after=names[second])


def _prefix(trace: Trace) -> None:
    """What a cache can still serve of the request that was built before this one in this visit."""
    now = {"model": trace.model_name, "messages": trace.messages, "tools": [dict(tool) for tool in trace.tools]}
    last, before = st.session_state.get("prefix.last"), st.session_state.get("prefix.before")
    if last is None or last[0] is not trace:
        st.session_state["prefix.before"] = before = None if last is None else last[1]
        st.session_state["prefix.last"] = (trace, now)
    if before and before["messages"] and now["messages"] and before != now:
        with st.container(key="diff_prefix"):
            st.caption(
                literal(cached_prefix(before, now, trace.model_name).says(language())), help=t("diff.prefix_help")
            )
