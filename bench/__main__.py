"""`python -m bench`: prints the tables and whether the targets hold; leaves with 0 either way, as it is a report."""

from __future__ import annotations

import sys
import time
from typing import Any

from bench import report, scaling
from bench.conversation import conversation
from bench.cost import costs, window_for
from bench.memory import memory
from bench.ours import SETUPS, Builder, scenario
from bench.quality import qualities

SIZES = (100, 1_000, 10_000, 100_000)


def main() -> None:
    began = time.perf_counter()
    sizes = [_told(f"costs of {size:,} messages", costs(size)) for size in SIZES]
    print(report.cost_table(sizes), end="\n\n")
    runs = max(size.tokenizer_runs["compiler"] for size in sizes)
    print(f"A `~` is an estimate from some of the rounds. To summarize at a new budget writes a new block, which is counted: {runs} runs.\n")
    builder = Builder(scenario(conversation(10_000, 700)), window_for(10_000))
    memories = {setup: memory(builder.build(setup)) for setup in SETUPS}
    print(report.memory_table(memories), end="\n\n")
    scalings = [*scaling.rebuilds(), _told("scaling", scaling.first_builds())]
    print(report.scaling_table(scalings), end="\n\n")
    found = list(qualities())
    print(report.quality_table(found), end="\n\n")
    rows = [[what, seen, "holds" if holds else "does NOT hold"] for what, seen, holds in report.targets(sizes, memories, scalings, found)]
    print(report.table(["target", "measured", ""], rows))
    print(f"\n{time.perf_counter() - began:.0f} s in all", file=sys.stderr)


def _told(what: str, value: Any) -> Any:
    print(f"… {what}: done", file=sys.stderr)
    return value


if __name__ == "__main__":
    main()
