"""CPU time, so that other jobs on the machine count for little, and always side by side, so that they count for both."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from statistics import median

Run = Callable[[], object]


def cpu(run: Run) -> float:
    """CPU seconds of one call. What was thrown away before is collected first; collecting during the call counts."""
    gc.collect()
    began = time.process_time()
    run()
    return time.process_time() - began


def medians(runs: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """The median seconds of each run. They take turns within a round: what slows the machine slows them alike."""
    seen: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            seen[name].append(cpu(run))
    return {name: median(times) for name, times in seen.items()}
