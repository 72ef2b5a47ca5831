"""All findings of one build."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ctxcore.findings.attention import early_instructions, task_drift
from ctxcore.findings.ceilings import ceilings
from ctxcore.findings.chunks import chunks
from ctxcore.findings.contents import mixed_formats, must_keep, over_compression, polluted_recall, stale_board
from ctxcore.findings.finding import Finding, worst_first
from ctxcore.findings.injection import injection
from ctxcore.findings.repeats import repeated_calls
from ctxcore.findings.waste import OF_WASTE
from ctxcore.findings.windows import early_compaction, overlong, system_share, window_over_model
from ctxcore.trace import Trace

Rule = Callable[[Trace], Iterator[Finding]]

# Each looks for one thing. `repeated_calls` builds the payload before each repeated call anew; the others only read.
OF_ONE_BUILD: tuple[Rule, ...] = (
    overlong,
    must_keep,
    early_instructions,
    task_drift,
    stale_board,
    mixed_formats,
    polluted_recall,
    over_compression,
    early_compaction,
    ceilings,
    system_share,
    window_over_model,
    injection,
    chunks,
    *OF_WASTE,
)


def findings_of_trace(trace: Trace) -> tuple[Finding, ...]:
    return worst_first(one for rule in (repeated_calls, *OF_ONE_BUILD) for one in rule(trace))
