"""Evaluate: the same questions under both sides. A proxy without a model; with one, the price before it is spent."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ctxcore import __version__
from ctxcore.comparing.comparison import Comparison
from ctxcore.errors import CtxError
from ctxcore.evaluating.arms import Arm
from ctxcore.evaluating.evaluation import Answer, Plan, evaluate, plan
from ctxcore.evaluating.questions import EXAMPLE, Question, read_lines, shipped_set, written
from ctxcore.model.endpoint import Endpoint
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ui import jobs
from ui.compare import evaluate_result
from ui.compare.answers import KeptAnswers
from ui.settings import summaries
from ui.settings.models import draw_model
from ui.words import literal, number, t
from ui.workspace import state
from ui.workspace.owner import owner

JOB = "_evaluate_job"  # of the session
Names = tuple[str, str]


def draw(compared: Comparison, names: Names) -> None:
    if compared.first.scenario is not compared.second.scenario:
        st.info(t("evaluate.same_sources"), icon=":material/info:")
        return
    questions = _questions(compared.first.scenario)
    if not questions:
        st.info(t("evaluate.none", example=literal(EXAMPLE)), icon=":material/info:")
        return
    planned = _planned(compared, questions)
    evaluate_result.draw_proxy(planned, names)
    st.space("small")
    endpoint = draw_model(t("evaluate.no_model"))
    answers: list[Answer] = []
    if endpoint is not None:
        known = KeptAnswers(state.store(), owner(), _name(compared.first.scenario, endpoint))
        _spend(planned, endpoint, known)
        answers = planned.answered(endpoint, known)
        evaluate_result.draw_outcome(answers, endpoint, names)
    evaluate_result.draw_table(planned, answers)


def _name(scenario: Scenario, endpoint: Endpoint) -> str:
    return f"{scenario.name or scenario.revision} · {endpoint.fingerprint}"[:200]


def _questions(scenario: Scenario) -> tuple[Question, ...]:
    """The set that ships for the scenario, until somebody writes others."""
    shipped = shipped_set(scenario.name)
    own = state.workspace().questions
    stored = state.store().text(owner(), own) if own else None
    text = stored if stored is not None else written(shipped.questions) if shipped else ""
    with st.expander(t("evaluate.questions"), icon=":material/quiz:"), st.container(key="evaluate_questions"):
        new = st.text_area(
            t("evaluate.questions"),
            text,
            height=240,
            placeholder=EXAMPLE,
            help=t("evaluate.questions_help"),
            key=state.key("questions"),
            label_visibility="collapsed",
        )
        if own and st.button(t("evaluate.shipped"), icon=":material/restart_alt:", type="tertiary"):
            state.put(questions="")
            st.rerun()
    if new != text:
        state.change(questions=state.store().put_text(owner(), new))
    if shipped and new == written(shipped.questions):
        return shipped.questions
    try:
        return read_lines(new)
    except CtxError as error:
        st.error(literal(error.told))
        return ()


def _planned(compared: Comparison, questions: Sequence[Question]) -> Plan:
    first, second = compared.first, compared.second
    return _plan(
        first.scenario.revision, first.settings, second.settings, tuple(questions), __version__, first.scenario
    )


@st.cache_resource(max_entries=8, show_spinner="…", hash_funcs={Settings: repr, Question: repr})
def _plan(
    revision: str, first: Settings, second: Settings, questions: tuple[Question, ...], version: str, _scenario: Scenario
) -> Plan:
    arms = Arm("A", first), Arm("B", second)
    return plan(_scenario, questions, arms, services=summaries.services())


def _spend(planned: Plan, endpoint: Endpoint, known: KeptAnswers) -> None:
    """What is left to ask and what it costs at most; the button that spends it, and the one that stops."""
    due = planned.due(endpoint, known)
    running = jobs.job(st.session_state.get(JOB))
    if running is not None and not running.done:
        _poll(len(running.parts))
        return
    if running is not None and running.error:
        st.error(literal(running.error), icon=":material/error:")
    failed = [one for one in (running.parts if running else ()) if isinstance(one, Answer) and not one.counts]
    if failed:
        st.warning(literal(failed[-1].error), icon=":material/warning:")
    if not due:
        st.caption(t("evaluate.complete"))
        return
    tokens = sum(call.prompt.tokens for call in due)
    usd = planned.usd(endpoint, known)
    price = t("headline.no_price") if usd is None else t("evaluate.usd", usd=f"{usd:.4f}")
    with st.container(key="evaluate_spend", horizontal=True, vertical_alignment="center", gap="small"):
        label = t("evaluate.go_on" if len(due) < len(planned.calls) else "evaluate.start", count=number(len(due)))
        if st.button(label, icon=":material/play_arrow:", type="primary", key="evaluate.start"):
            st.session_state[JOB] = _start(planned, endpoint, known)
            st.rerun()
        st.caption(t("evaluate.cost", tokens=number(tokens), price=price), width="content")


def _start(planned: Plan, endpoint: Endpoint, known: KeptAnswers) -> str:
    def work(job: jobs.Job) -> None:
        job.parts.append(len(planned.due(endpoint, known)))
        for answer in evaluate(planned, endpoint, known, stop=lambda: job.stopped):
            if not answer.known:
                job.parts.append(answer)

    return jobs.start("evaluate", work).id


@st.fragment(run_every=0.6)
def _poll(seen: int) -> None:
    running = jobs.job(st.session_state.get(JOB))
    if running is None or running.done or len(running.parts) != seen:
        st.rerun()  # of the whole page: an answer has come
    assert running is not None
    total, have = (running.parts[0], len(running.parts) - 1) if running.parts else (1, 0)
    with st.container(key="evaluate_running", horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(min(1.0, have / max(1, total)), text=t("evaluate.progress", have=have, total=total))
        with st.container(key="evaluate_stop", width="content"):
            if st.button(t("ask.stop"), icon=":material/stop:", key="evaluate.stop", disabled=running.stopped):
                running.halt.set()
