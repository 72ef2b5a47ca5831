"""What is recorded of every build, to tune the budget by: tokens by section and how much was compressed (a11)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxcore.reporting.cells import harmless
from ctxcore.trace import Trace


@dataclass(frozen=True, slots=True)
class Reading:
    """Numbers and names only, never a text. `ratio`: tokens of the payload for each token that came in."""

    at: str  # ISO time, given by the caller: the core reads no clock
    scenario: str
    system: str
    variant: str
    window: int
    room: int
    gathered: int
    total: int
    fits: bool
    sections: Mapping[str, int]  # limit → tokens of the payload that count to it
    seconds: float

    @property
    def ratio(self) -> float:
        return self.total / self.gathered if self.gathered else 1.0


def reading(trace: Trace, at: str) -> Reading:
    sections: dict[str, int] = {use.name: use.used for use in trace.limits}
    if not sections:  # a system without limits: by source
        for item in trace.final.items:
            sections[str(item.source)] = sections.get(str(item.source), 0) + item.tokens
    return Reading(
        at,
        trace.scenario.name,
        trace.system.name,
        trace.settings.variant,
        trace.budget.window,
        trace.budget.room,
        sum(item.tokens for item in trace.inputs),
        trace.totals.total,
        trace.fits,
        sections,
        sum(snapshot.seconds for snapshot in trace.snapshots),
    )


def to_csv(readings: Sequence[Reading]) -> str:
    """One line a build, one column a section."""
    names = list(dict.fromkeys(name for one in readings for name in one.sections))
    plain = ("at", "scenario", "system", "variant", "window", "room", "gathered", "total", "fits", "ratio", "seconds")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*plain, *names])
    for one in readings:
        row = [getattr(one, name) for name in plain[:-2]] + [f"{one.ratio:.4f}", f"{one.seconds:.4f}"]
        cells = [harmless(value) if isinstance(value, str) else value for value in row]
        writer.writerow(cells + [one.sections.get(name, "") for name in names])
    return out.getvalue()
