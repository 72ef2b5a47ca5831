"""Golden ledgers: every decision of a few built-in scenarios, one a line. `make golden` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ctxcore
from ctxcore import Scenario, Trace, build
from ctxcore.decision import Decision

SCENARIOS = Path(ctxcore.__path__[0]) / "scenarios"
RUNS = [
    ("gssc", "repaired", "retention-analysis", {}),
    ("gssc", "article", "retention-analysis", {}),
    ("gssc", "repaired", "chinese-service", {}),
    ("gssc", "article", "chinese-service", {}),
    ("gssc", "repaired", "coding-agent", {}),
    ("compiler", "repaired", "context-assistant", {}),
    ("compiler", "repaired", "support-chat", {}),
    ("compiler", "article", "support-chat", {}),
    ("raw", "repaired", "with-images", {}),
    ("gssc", "repaired", "with-images", {"window": 2_500}),
]


def ledger(trace: Trace) -> str:
    """Stage, action, item, tokens before and after, rule; then each message, and the total."""
    lines = [line(snapshot.name, decision) for snapshot in trace.snapshots for decision in snapshot.decisions]
    lines += [
        f"{'problem':>24} {problem.rule}" for snapshot in trace.snapshots for problem in trace.problems_of(snapshot)
    ]
    for at, (message, (start, end, items)) in enumerate(zip(trace.messages, trace.map, strict=True)):
        lines.append(f"{'message':>24} {at:<3} {message['role']:<10} {end - start:>6}  {' '.join(items)}")
    totals = trace.totals
    lines.append(f"{'total':>24} {totals.total} of {trace.budget.room}, floor {trace.floor}")
    return "\n".join(lines) + "\n"


def line(stage: str, decision: Decision) -> str:
    named = f"{stage:>24} {decision.action:<10} {decision.item:<18}"
    return f"{named} {decision.before:>6} -> {decision.after:<6} {decision.rule}"


@pytest.mark.parametrize(
    ("system", "variant", "name", "more"), RUNS, ids=[f"{run[0]}-{run[1]}-{run[2]}" for run in RUNS]
)
def test_ledger(system: str, variant: str, name: str, more: dict[str, int], golden: Callable[[str, str], None]) -> None:
    trace = build(Scenario.load(SCENARIOS / f"{name}.json"), system=system, variant=variant, **more)
    golden(f"{system}_{variant}_{name}.txt", ledger(trace))
