"""The ctxcore builds that are measured, each at a budget that was not asked for before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from bench.conversation import Message
from bench.peers import MODEL
from ctxcore import Scenario, Trace, build
from ctxcore.counting.tokens import counter_for

TRUNCATE = "compiler, truncate, history=100%"
SUMMARIZE = "compiler, history=100%"
SETUPS: dict[str, dict[str, Any]] = {
    TRUNCATE: {
        "system": "compiler",
        "limits": {"history": "100%"},
        "options": {"conversation-compactor.overflow": "truncate"},
    },
    SUMMARIZE: {"system": "compiler", "limits": {"history": "100%"}},
    "compiler": {"system": "compiler"},
    "gssc": {"system": "gssc"},
    "gssc, no compressing": {"system": "gssc", "options": {"select.admit_compressed": "false"}},
    "raw": {"system": "raw"},
}
PLAIN_SETUPS = (TRUNCATE, "compiler", "gssc", "raw")
NO_TOKENIZER = (TRUNCATE, "gssc, no compressing", "raw")  # these write no new text, so they have nothing to count


def scenario(messages: Sequence[Message]) -> Scenario:
    return Scenario.from_messages(messages, name="bench")


class Builder:
    """Builds one scenario again and again, each time at another window."""

    def __init__(self, scenario: Scenario, window: int) -> None:
        self.scenario = scenario
        self.tokenizer_runs: dict[str, int] = {}  # by setup: the most in one build
        self._windows = (window - 13 * step for step in count())

    def build(self, setup: str) -> Trace:
        counter = counter_for(MODEL)
        before = counter.calls
        trace = build(self.scenario, model=MODEL, window=next(self._windows), **SETUPS[setup])
        self.tokenizer_runs[setup] = max(counter.calls - before, self.tokenizer_runs.get(setup, 0))
        return trace

    def build_and_tell(self, setup: str) -> int:
        """With every decision as an object of its own, as a table of all of them needs it."""
        return sum(len(snapshot.decisions) for snapshot in self.build(setup).snapshots)


def first(messages: Sequence[Message], setup: str, window: int) -> Trace:
    """From wire messages to the trace: reading them, counting every text, and the pipeline."""
    return build(scenario(messages), model=MODEL, window=window, **SETUPS[setup])
