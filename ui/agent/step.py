"""One step of an agent: thought, call, observation before and after, the board, and what the loop did by itself."""

from __future__ import annotations

import streamlit as st

from ctxcore.agent.step import Step
from ctxcore.board import Board
from ui.said import says
from ui.sources.scenarios import open_scenario
from ui.words import code, language, literal, number, t
from ui.workspace import state

SHOWN = 6_000  # characters of an observation


def draw_step(step: Step, before: Step | None) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(key="agent_step"):
        _said(step)
        _observed(step)
    with right, st.container(key="agent_board"):
        st.markdown(t("agent.board"))
        _board(step.board, before.board if before else None)
        for told in step.told:
            st.caption(literal(told.says(language())))
    with st.container(key="agent_open"):
        if st.button(t("agent.open"), icon=":material/open_in_new:", key="agent.open", help=t("agent.open_help")):
            open_scenario(step.trace.scenario)
            state.put(
                system=step.trace.system.name,
                variant="repaired",
                window=step.trace.budget.window,
                reserve=step.trace.settings.reserve,
                limits={},
                options={},
                stages=(),
                stage="",
                run_to="",
            )
            st.switch_page("pages/debug/playground.py")


def _said(step: Step) -> None:
    st.markdown(t("agent.thought"))
    st.text(step.thought or "–")
    if step.ended and not step.finished:
        facts = {"steps": step.number, "total": step.predicted, "window": step.trace.budget.window, "error": step.error}
        st.warning(literal(says(f"find-ended-{step.ended}", facts)), icon=":material/warning:")
    elif step.error:
        st.warning(literal(step.error), icon=":material/warning:")
    if step.call:
        repeated = f" :orange-badge[{t('agent.repeated')}]" if step.repeated else ""
        st.markdown(f"{t('agent.call')} {code(step.fingerprint or step.call.name)}{repeated}")
    if step.answer:
        st.markdown(t("agent.answer"))
        st.text(step.answer)


def _observed(step: Step) -> None:
    seen = step.observed
    if seen is None:
        return
    st.markdown(t("agent.observation", before=number(seen.tokens_before), after=number(seen.tokens_after)))
    raw, short = st.columns(2, gap="small")
    with raw:
        st.caption(t("agent.raw"))
        st.code(seen.raw[:SHOWN], language=None, wrap_lines=True, height=240)
    with short:
        st.caption(t("agent.entered"))
        st.code(seen.text[:SHOWN], language=None, wrap_lines=True, height=240)
    if seen.lost.all:
        st.caption(t("agent.lost", facts=literal(", ".join(str(fact) for fact in seen.lost.all[:12]))))


def _board(board: Board, before: Board | None) -> None:
    st.text(f"{t('board.goal')}: {board.goal}")
    st.text(f"{t('board.current')}: {board.current or '–'}")
    for name in ("done", "todo"):
        entries: tuple[str, ...] = getattr(board, name)
        old = set(getattr(before, name)) if before else set()
        st.markdown(f"**{t(f'board.{name}')}** · {len(entries)}")
        if entries:
            st.text("\n".join(f"{'+' if entry not in old and before else '·'} {entry}" for entry in entries[-8:]))
