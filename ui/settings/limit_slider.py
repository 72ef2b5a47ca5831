"""Every limit as a slider, in percent or in tokens, with what it was given and what it used."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ctxcore.budget import MEDIA, Budget
from ctxcore.trace import LimitUse, Trace
from ui import terms
from ui.words import number, t
from ui.workspace import state
from ui.workspace.baseline import baseline

BASES = "_limit_bases"  # of the session: the cap that a slider showed when it was made, so that it stays one widget

Captions = dict[str, Any]


def limit_sliders(budget: Budget, *, has_media: bool = False) -> Captions:
    """Draws the sliders, takes over their values. Returns places for what each limit used, filled after the run.

    `has_media`: one more, for pictures, sounds and files, which binds nothing until it is moved."""
    if not budget.limits:
        st.caption(t("limit.none"))
        return {}
    st.markdown(t("limit.title"), help=terms.about("limit"))
    caps = budget.caps()
    captions = {limit.name: _limit(limit.name, limit.typed, caps[limit.name], budget.window) for limit in budget.limits}
    if has_media and MEDIA not in captions:
        captions[MEDIA] = _limit(MEDIA, "100%", budget.window, budget.window)
        captions[MEDIA].caption(t("limit.media_off"))
    if state.workspace().limits and st.button(
        t("limit.reset"), icon=":material/restart_alt:", type="tertiary", key="limit.reset"
    ):
        state.put(limits={})
        st.rerun()
    return captions


def fill(captions: Captions, trace: Trace) -> None:
    before = baseline()
    then = {use.name: use.used for use in before.limits} if before else {}
    for use in trace.limits:
        if use.name in captions:
            change = use.used - then.get(use.name, use.used)
            since = f" :violet[{change:+,}]" if change else ""
            captions[use.name].caption(_used(use, trace.budget.window) + since)


def _used(use: LimitUse, window: int) -> str:
    told = t(
        "limit.use",
        used=number(use.used),
        cap=number(use.cap),
        share=f"{100 * use.cap / window:.1f}" if window else "–",
    )
    return f":red[{told}]" if use.used > use.cap else told


def _limit(name: str, typed: str, cap: int, window: int) -> Any:
    """A moved slider is a limit of the user's; one that was not moved stays the system's, which may scale."""
    own = state.workspace().limits.get(name)
    by_share = (own or typed).endswith("%")
    with st.container(key=f"budget_{name}", gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(f"**{name}**", width="content")
            caption = st.empty()
            st.space("stretch")
            if st.button(
                "%" if by_share else "#",
                key=f"unit.{name}",
                type="tertiary",
                help=t("limit.to_tokens" if by_share else "limit.to_percent"),
            ):
                state.put(
                    limits={**state.workspace().limits, name: str(cap) if by_share else f"{100 * cap / window:.1f}%"}
                )
                st.rerun()
        shown = (
            round(100 * cap / window, 1)
            if by_share and own is None
            else float((own or "0")[:-1])
            if by_share
            else float(cap)
        )
        most = max(100.0, shown) if by_share else float(max(window, cap))
        step = 0.5 if by_share else float(max(1, window // 400))
        value = st.slider(
            name,
            0.0,
            most,
            shown,
            step,
            format="%.1f %%" if by_share else "%d",
            key=_key(name, own, shown),
            label_visibility="collapsed",
        )
        if value != shown:
            state.change(limits={**state.workspace().limits, name: f"{value:g}%" if by_share else str(int(value))})
    return caption


def _key(name: str, own: str | None, shown: float) -> str:
    """A limit that nobody moved follows the window, as another widget; a moved one stays what it was."""
    bases: dict[str, float] = st.session_state.setdefault(BASES, {})
    if own is None or name not in bases:
        bases[name] = shown
    return state.key("limits", name, str(bases[name]))
