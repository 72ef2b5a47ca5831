"""`python -m bench`: prints the tables and whether the targets hold; leaves with 0 either way, as it is a report."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from bench import report, scaling
from bench.agent import agent_table, comparison
from bench.conversation import conversation
from bench.cost import costs, window_for
from bench.memory import Memory, memory
from bench.ours import SETUPS, Builder, scenario
from bench.quality import qualities

SIZES = (100, 1_000, 10_000, 100_000)
T = TypeVar("T")


def main() -> None:
    sizes = [_timed(f"costs of {size:,} messages", lambda size=size: costs(size)) for size in SIZES]  # type: ignore[misc]
    print(report.cost_table(sizes), end="\n\n")
    runs = max(size.tokenizer_runs["compiler"] for size in sizes)
    print(
        f"`~`: estimated from some of its rounds. A summary is a new text, so it is counted: {runs} tokenizer runs.\n"
    )
    memories = _timed("memory", memory_of_each)
    print(report.memory_table(memories), end="\n\n")
    scalings = _timed("scaling", lambda: [*scaling.rebuilds(), scaling.first_builds()])
    print(report.scaling_table(scalings), end="\n\n")
    found = _timed("quality", lambda: list(qualities()))
    print(report.quality_table(found), end="\n\n")
    print(agent_table(_timed("agent", comparison)), end="\n\n")
    results = report.targets(sizes, memories, scalings, found)
    rows = [[what, seen, "holds" if holds else "does NOT hold"] for what, seen, holds in results]
    print(report.table(["target", "measured", ""], rows))


def memory_of_each() -> dict[str, Memory]:
    builder = Builder(scenario(conversation(10_000, 700)), window_for(10_000))
    return {setup: memory(builder.build(setup)) for setup in SETUPS}


def _timed(what: str, run: Callable[[], T]) -> T:
    began = time.perf_counter()
    out = run()
    print(f"{what}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return out


if __name__ == "__main__":
    main()
