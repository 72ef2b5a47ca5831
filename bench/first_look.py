"""`python -m bench.first_look [--plain] [FILE]`: a long session imported, kept and built, beside tokenizing its text.

The floor reads the JSON of each line and tokenizes every text of it once, with tiktoken itself. Medians of CPU and
clock time; a counter of its own each round, so that nothing is remembered from the round before. `--plain`
counts with tiktoken alone, as where `ctxcore[fast]` is not installed.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bench.clock import cpu, settled
from bench.report import table
from ctxcore import Scenario, importing
from ctxcore.build import build
from ctxcore.counting import tokens
from ctxcore.counting.encodings import encoding
from ctxcore.importing.scenario_file import lent
from ctxcore.reading import message_text
from ui.store.store import Store

SESSION = Path(__file__).resolve().parents[2] / "shared" / "inputs" / "pi-agent" / "before-compaction.jsonl"
ROUNDS = 7
PLAIN = "--plain"
TARGET = 1.5
Times = tuple[float, float]


def floor(data: bytes, scenario: Scenario) -> int:
    """Reads the file, and tokenizes the texts that the scenario has of it."""
    read: list[Any] = [json.loads(line) for line in data.splitlines()]
    bare = encoding("o200k_base")
    return len(read) + sum(len(bare.encode_ordinary(message_text(one))) for one in scenario.messages)


def both(run: Callable[[], object]) -> Times:
    """Seconds of CPU, and on the clock."""
    began = time.perf_counter()
    used = cpu(run)
    return used, time.perf_counter() - began


def round_of(data: bytes, name: str) -> dict[str, Times]:
    """Each step of one import, with nothing remembered; the database is open already, as in a server that runs."""
    tokens._counter.cache_clear()
    tokens._store.cache_clear()
    kept: list[Scenario] = []
    seconds = {"import": both(lambda: kept.append(importing.opened(data, name=name).scenario))}
    scenario = kept[0]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/bench.db")
        store.put_scenario("bench", {"name": "first"})
        seconds["keep"] = both(lambda: store.put_scenario("bench", lent(scenario)))
        seconds["count and build"] = both(lambda: build(scenario, window=128_000))
        store.close()
    seconds["floor"] = both(lambda: floor(data, scenario))
    return seconds


def measured(data: bytes, name: str, rounds: int = ROUNDS) -> dict[str, Times]:
    """The medians of each step."""
    round_of(data, name)  # the vocabulary is loaded once a process
    with settled():
        seen = [round_of(data, name) for _ in range(rounds)]
    return {step: (median(one[step][0] for one in seen), median(one[step][1] for one in seen)) for step in seen[0]}


def main() -> None:
    named = [word for word in sys.argv[1:] if word != PLAIN]
    file = Path(named[0]) if named else SESSION
    if PLAIN in sys.argv:
        sys.modules["toktok"] = None  # type: ignore[assignment]  # as where it is not installed
    if not file.is_file():
        print(f"{file} is not here: name a session.")
        return
    found = measured(file.read_bytes(), file.name)
    least = found.pop("floor")
    found["**all**"] = (sum(used for used, _ in found.values()), sum(waited for _, waited in found.values()))
    rows = (
        [step, *(f"{1e3 * one:,.0f} ms, {one / floor:.2f} ×" for one, floor in zip(times, least, strict=True))]
        for step, times in found.items()
    )
    head = (f"{name} (floor {1e3 * one:,.0f} ms)" for name, one in zip(("CPU", "clock"), least, strict=True))
    print(table([file.name, *head], rows))
    print(f"\nTarget {TARGET} × the floor.")


if __name__ == "__main__":
    main()
