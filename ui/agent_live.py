"""The task given to the model at hand: a job that appends its steps as they come, and a button that stops it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ctxcore.agent.loop import react
from ctxcore.agent.manner import Asking
from ctxcore.agent.scripted import Script
from ctxcore.agent.step import Step
from ctxcore.chat_template import predicted
from ctxcore.endpoint import Endpoint
from ctxcore.replies import Reply
from ctxcore.settings import Settings
from ui import jobs
from ui.agent_pick import follow
from ui.episodes import Run
from ui.jobs import Job
from ui.models import log_bill, says_bill
from ui.words import literal, t

JOBS = "_agent_jobs"  # of the session: managed or unmanaged → the id of its job
STEPS = 10
FIRST_ANSWER = 4  # the step from which on a small model may answer: left to itself it does so at once
ROOM = {"thought": 160, "sub_task": 60, "action_input": 80}  # characters: what has no end, it does not end


@dataclass(frozen=True, slots=True)
class Played:
    """A step, and the prompt's tokens as predicted by the endpoint's own template where it shows one."""

    step: Step
    expected: int
    exactness: str


@dataclass
class Small:
    """A small model on this machine, held to short fields and to a few calls before its answer. A ChatModel."""

    endpoint: Endpoint
    asked: int = 0

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def fingerprint(self) -> str:
        return self.endpoint.fingerprint

    def reply(
        self, messages: Sequence[Mapping[str, Any]], *, schema: Mapping[str, Any] | None = None, **how: Any
    ) -> Reply:
        self.asked += 1
        return self.endpoint.reply(messages, schema=self._held(schema) if schema else None, **how)

    def _held(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: dict(about) for name, about in schema["properties"].items()}
        for name, characters in ROOM.items():
            fields[name]["maxLength"] = characters
        if self.asked < FIRST_ANSWER:
            fields["action"]["enum"] = [name for name in fields["action"]["enum"] if name != "finish"]
        return {**schema, "properties": fields}


def is_small(endpoint: Endpoint) -> bool:
    """A server on this machine: it may know no native calls, but it can hold a reply to a schema."""
    return endpoint.host.partition(":")[0] == "127.0.0.1"


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
    st.session_state[JOBS] = {**known, _name(managed): jobs.start("agent", work).id}


def draw_live(endpoint: Endpoint, task: Script, window: int) -> tuple[Run, Run]:
    """The button, or what the model is writing just now; and the steps so far, with management and without."""
    running = next((job for job in map(_job, (True, False)) if job and not job.done), None)
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
    for job in map(_job, (True, False)):
        if job and job.error:
            st.error(literal(job.error), icon=":material/error:")
    with_it, without = (tuple(one.step for one in _played(_job(managed))) for managed in (True, False))
    if not (running or with_it or without):
        st.info(t("agent.no_run"), icon=":material/info:")
    return with_it, without


def draw_bill(step: Step) -> None:
    """What the endpoint billed for that step, beside what was predicted."""
    found = (one for managed in (True, False) for one in _played(_job(managed)) if one.step is step)
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
        follow("managed" if _job(True) is job else "unmanaged", played)
        st.rerun()
    with st.container(key="agent_running", border=True):
        st.caption(t("agent.at_work", step=played + 1, most=STEPS))
        st.text(_written(job) or t("ask.waiting"))
        with st.container(key="agent_stop"):
            if st.button(t("ask.stop"), icon=":material/stop:", key="agent.stop", disabled=job.stopped):
                job.halt.set()


def _name(managed: bool) -> str:
    return "managed" if managed else "unmanaged"


def _job(managed: bool) -> Job | None:
    return jobs.job(st.session_state.get(JOBS, {}).get(_name(managed)))


def _played(job: Job | None) -> tuple[Played, ...]:
    return tuple(part for part in tuple(job.parts) if isinstance(part, Played)) if job else ()


def _written(job: Job) -> str:
    """The reply that is being written: the pieces since the last step."""
    parts = tuple(job.parts)
    last = max((at for at, part in enumerate(parts) if isinstance(part, Played)), default=-1)
    return "".join(str(part) for part in parts[last + 1 :])
