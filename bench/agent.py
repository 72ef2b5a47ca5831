"""What management does to an agent's context (article 3, c13): one scripted task, played with it and without."""

from __future__ import annotations

from bench.report import table
from ctxcore.agent.metrics import Comparison, Metrics, compared
from ctxcore.agent.scripted import play, script


def comparison() -> Comparison:
    """Contexts and counts are worked out; the replies, a repeated call among them, are the script's."""
    task = script(lang="en")
    return compared(play(task, managed=True), play(task, managed=False))


def agent_table(found: Comparison) -> str:
    managed, unmanaged = found.managed, found.unmanaged
    header = [f"an agent's task, window {managed.window:,}", "with management", "without", "change"]
    rows = [
        ["peak, tokens", f"{managed.peak:,}", f"{unmanaged.peak:,}", f"{found.peak_change:+.0%}"],
        ["growth, tokens a step", f"{managed.growth:,.0f}", f"{unmanaged.growth:,.0f}", f"{found.growth_change:+.0%}"],
        ["repeated calls", _repeated(managed), _repeated(unmanaged), ""],
        ["finished", _finished(managed), _finished(unmanaged), ""],
    ]
    return table(header, rows)


def _repeated(run: Metrics) -> str:
    return f"{run.repeats} of {run.calls}, {run.repeated_rate:.0%}"


def _finished(run: Metrics) -> str:
    """Also how long it took, or where it broke off, as the loop says it."""
    return f"yes, {run.steps} steps" if run.finished else f"no: {run.ended} in step {run.steps}"
