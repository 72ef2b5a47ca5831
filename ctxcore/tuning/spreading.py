"""Many runs of one function over any `concurrent.futures.Executor`: threads by default, Dask's on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

J = TypeVar("J")
R = TypeVar("R")
WORKERS = 4


def spread(work: Callable[[J], R], jobs: Iterable[J], executor: Executor | None = None) -> tuple[R, ...]:
    """The results in the order of the jobs. `work` is a function of a module and jobs are plain values, so that they
    can be sent to another process; the first error of a job is raised."""
    if executor is None:
        with ThreadPoolExecutor(WORKERS) as own:
            return spread(work, jobs, own)
    futures = [executor.submit(work, job) for job in jobs]
    return tuple(future.result() for future in futures)
