"""Long work beside the page: a thread that a click starts and a button stops; no reload or slider touches it."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ctxcore.errors import CtxError

KEPT = 200  # jobs in memory, of all users together
log = logging.getLogger("ctxcore.app")
LIMIT = threading.BoundedSemaphore(8)  # at work at once


@dataclass
class Job:
    """Read by the page while a thread writes it; `result` is there when `done` is, unless there is an `error`."""

    id: str
    about: str
    parts: list[Any] = field(default_factory=list)  # what came so far: pieces of text, steps
    result: Any = None
    error: str = ""
    done: bool = False
    began: float = field(default_factory=time.monotonic)
    halt: threading.Event = field(default_factory=threading.Event)

    @property
    def stopped(self) -> bool:
        return self.halt.is_set()


Work = Callable[[Job], Any]


@st.cache_resource(show_spinner=False)
def _jobs() -> OrderedDict[str, Job]:
    return OrderedDict()


def start(about: str, work: Work) -> Job:
    """Runs `work(job)` on a thread. Its CtxError becomes the job's error; the id is a secret of the session."""
    job = Job(uuid.uuid4().hex, about)
    jobs = _jobs()
    jobs[job.id] = job
    while len(jobs) > KEPT:
        jobs.popitem(last=False)
    threading.Thread(target=_run, args=(job, work), daemon=True, name=f"job-{job.id[:8]}").start()
    return job


def _run(job: Job, work: Work) -> None:
    with LIMIT:
        try:
            job.result = work(job)
        except CtxError as error:
            job.error = error.told
        except Exception as error:  # a thread has nobody else to tell: the page shows what failed, the log how
            log.error("Job %s failed", job.about, exc_info=error)
            job.error = f"{type(error).__name__}: {error}"
        finally:
            job.done = True


def job(identity: str | None) -> Job | None:
    return _jobs().get(identity) if identity else None
