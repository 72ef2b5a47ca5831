"""The task given to the model at hand: a job that appends its steps as they come, and a button that stops it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.scripted import Script
from ctxcore.agent.step import Step
from ctxcore.counting.chat_template import predicted
from ctxcore.model.endpoint import Endpoint
from ctxcore.settings import Settings
from ui import jobs
from ui.agent.episodes import Run
from ui.agent.pick import follow
from ui.agent.small import FIRST_ANSWER, Small, is_small
from ui.jobs import Job
from ui.settings.models import log_bill, says_bill
from ui.words import literal, t

JOBS, SEEN = "_agent_jobs", "_agent_seen"  # of the session: managed or unmanaged → id of its job; steps drawn so far
RUNS = ("managed", "unmanaged")
STEPS = 10


@dataclass(frozen=True, slots=True)
class Played:
    """A step, and the prompt's tokens as predicted by the endpoint's own template where it shows one."""

    step: Step
    expected: int
    exactness: str


def start(endpoint: Endpoint, task: Script, window: int, managed: bool) -> None:
    def work(job: Job) -> None:
        small = is_small(endpoint)
        run = react(
            task.scenario,
            Small(endpoint) if small else endpoint,
            task.tools,
            settings=Settings(system="layered", window=window, model=endpoint.name),
            max_steps=STEPS,
            managed=managed,
            stop=lambda: job.stopped,
            asking=Asking("json" if small else "calls", task.lang, on_text=job.parts.append),
        )
        for step in run:
            expected, exactness = predicted(endpoint, step.trace.messages, step.trace.tools)
            if step.reply:
                log_bill(endpoint, step.reply, expected)
            job.parts.append(Played(step, expected, exactness))

    known = st.session_state.get(JOBS, {})
    st.session_state[JOBS] = {**known, RUNS[0] if managed else RUNS[1]: jobs.start("agent", work).id}


def draw_live(endpoint: Endpoint, task: Script, window: int) -> tuple[Run, Run]:
    """The button, or what the model is writing just now; and the steps so far, with management and without."""
    running = next((job for job in map(_job, RUNS) if job and not job.done), None)
    with st.container(key="agent_run", horizontal=True, vertical_alignment="center", gap="small"):
        label = t("agent.run", most=STEPS)
        pressed = st.button(
            label, icon=":material/play_arrow:", type="primary", key="agent.run", disabled=bool(running)
        )
        managed = st.toggle(t("agent.managed"), value=True, key="agent.run_managed", disabled=bool(running))
    if is_small(endpoint):
        st.caption(t("agent.small", first=FIRST_ANSWER))
    if pressed:
        start(endpoint, task, window, managed)
        st.rerun()
    if running:
        _poll(running.id, len(_played(running)))
    for job in map(_job, RUNS):
        if job and job.error:
            st.error(literal(job.error), icon=":material/error:")
    with_it, without = (tuple(one.step for one in _played(_job(name))) for name in RUNS)
    _follow(with_it, without)
    if not (running or with_it or without):
        st.info(t("agent.no_run"), icon=":material/info:")
    return with_it, without


def draw_bill(step: Step) -> None:
    """What the endpoint billed for that step, beside what was predicted."""
    found = (one for name in RUNS for one in _played(_job(name)) if one.step is step)
    one = next(found, None)
    if one and one.step.reply:
        st.caption(says_bill(one.step.reply, one.expected, one.exactness))


@st.fragment(run_every=0.6)
def _poll(identity: str, seen: int) -> None:
    """Redraws itself, and the whole page where a step has come."""
    job = jobs.job(identity)
    if job is None:
        return
    played = len(_played(job))
    if job.done or played != seen:
        st.rerun()
    with st.container(key="agent_running", border=True):
        st.caption(t("agent.at_work", step=played + 1, most=STEPS))
        st.text(_written(job) or t("ask.waiting"))
        with st.container(key="agent_stop"):
            if st.button(t("ask.stop"), icon=":material/stop:", key="agent.stop", disabled=job.stopped):
                job.halt.set()


def _follow(*runs: Run) -> None:
    """Looks at what is new since the last time the page was drawn."""
    before = st.session_state.get(SEEN, {})
    now = {name: len(run) for name, run in zip(RUNS, runs, strict=True)}
    for name, steps in now.items():
        if steps and steps != before.get(name):
            follow(name, steps)
    st.session_state[SEEN] = now


def _job(name: str) -> Job | None:
    return jobs.job(st.session_state.get(JOBS, {}).get(name))


def _played(job: Job | None) -> tuple[Played, ...]:
    return tuple(part for part in tuple(job.parts) if isinstance(part, Played)) if job else ()


def _written(job: Job) -> str:
    """The reply that is being written: the pieces since the last step."""
    parts = tuple(job.parts)
    last = max((at for at, part in enumerate(parts) if isinstance(part, Played)), default=-1)
    return "".join(str(part) for part in parts[last + 1 :])
