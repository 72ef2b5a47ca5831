"""A measurement at work: asked beside the page, kept as it grows, stopped by a button, taken up again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import streamlit as st

from ctxcore.counting.tokens import counter_for
from ctxcore.errors import CtxError
from ctxcore.measuring.measure import measure
from ctxcore.measuring.measured import Measured, from_json
from ctxcore.measuring.plan import Plan, probes
from ctxcore.model.endpoint import Endpoint
from ui import jobs
from ui.jobs import Job
from ui.store import KeptStore, Thing
from ui.words import number, t
from ui.workspace import state
from ui.workspace.owner import owner

JOB, KIND = "_measure_job", "curve"
SAVED_EVERY = 5  # answers: so many are lost at the most if the server is killed


def start(plan: Plan, endpoint: Endpoint) -> None:
    """Takes up an earlier run of the same plan with the same model where it stopped."""
    kept, mine = state.store(), owner()
    begun = next((one for one in saved(mine) if (one.plan, one.model) == (plan, endpoint.name)), None)
    now = datetime.now(UTC)
    fresh = Measured(f"{endpoint.name} {now:%Y-%m-%d %H:%M}", endpoint.name, f"{now:%Y-%m-%d}", plan, ())
    about = {"host": endpoint.host}
    found = begun or replace(fresh, window=max(plan.lengths), about=about)
    st.session_state[JOB] = jobs.start("measure", lambda job: _work(job, found, endpoint, kept, mine)).id


def _work(job: Job, begun: Measured, endpoint: Endpoint, kept: KeptStore, mine: str) -> Measured:
    """Runs on the job's thread; `parts` are the observations so far."""
    known = {one.key: one for one in begun.seen if not one.error}
    asked = probes(begun.plan, counter_for(endpoint.name))
    for one in measure(asked, endpoint, known=known, stop=lambda: job.stopped):
        job.parts.append(one)
        if len(job.parts) % SAVED_EVERY == 0:
            _keep(kept, mine, replace(begun, seen=tuple(job.parts)))
    done = replace(begun, seen=tuple(job.parts))
    if any(not one.error for one in done.seen):
        _keep(kept, mine, done)
    if failed := next((one.error for one in reversed(done.seen) if one.error), ""):
        raise CtxError("problem", problem=failed)
    return done


def _keep(kept: KeptStore, mine: str, measured: Measured) -> None:
    now = kept.thing(mine, KIND, measured.name)
    kept.keep(Thing(mine, KIND, measured.name, measured.to_json(), now.rev if now else 0))


def saved(mine: str) -> list[Measured]:
    """The newest first; what cannot be read is left out."""
    found = []
    for thing in state.store().things(mine, KIND):
        try:
            found.append(from_json(thing.body))
        except CtxError:
            continue
    return found


def running() -> Job | None:
    job = jobs.job(st.session_state.get(JOB))
    return job if job and not job.done else None


@st.fragment(run_every=0.6)
def progress(calls: int) -> None:
    """How far it is, and the button that stops it; when it is done, the page runs again."""
    job = jobs.job(st.session_state.get(JOB))
    if job is None or job.done:
        st.rerun()
        return
    done = len(job.parts)
    with st.container(key="measure_progress"):
        st.progress(min(1.0, done / max(1, calls)), t("measure.progress", done=number(done), calls=number(calls)))
        if st.button(t("measure.stop"), icon=":material/stop:", key="measure.stop", disabled=job.stopped):
            job.halt.set()
