"""CPU time, so that other jobs on the machine count for little, and side by side, so that they count for all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median

Run = Callable[[], object]


def cpu(run: Run) -> float:
    """CPU seconds of one call."""
    began = time.process_time()
    run()
    return time.process_time() - began


@contextmanager
def settled() -> Iterator[None]:
    """Garbage is collected before, and not during the calls (as timeit does): that would depend on all that lives."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def medians(runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """The median seconds of each run. They take turns within a round: what slows the machine slows them alike."""
    seen: dict[str, list[float]] = {name: [] for name in runs}
    with settled():
        for _ in range(rounds):
            for name, run in runs.items():
                seen[name].append(cpu(run))
    return {name: median(times) for name, times in seen.items()}
