"""Lint at every stage of a trace: which errors came in, which a stage made, which it mended."""

from __future__ import annotations

from ctxcore.linting.finding import Finding
from ctxcore.linting.lint import lint
from ctxcore.message import as_sent, render
from ctxcore.running import Snapshot
from ctxcore.trace import Trace


def lint_stages(trace: Trace, provider: str = "openai") -> dict[str, tuple[Finding, ...]]:
    """Stage → what would be refused or misread, were its conversation sent as it is then. A stage that changed nothing
    is not looked through again."""
    found: dict[str, tuple[Finding, ...]] = {}
    before: tuple[Snapshot, tuple[Finding, ...]] | None = None
    for snapshot in trace.snapshots:
        if before and before[0].items is snapshot.items and not snapshot.payload.messages:
            found[snapshot.name] = before[1]
        else:
            found[snapshot.name] = _of(snapshot, provider)
        before = snapshot, found[snapshot.name]
    return found


def _of(snapshot: Snapshot, provider: str) -> tuple[Finding, ...]:
    """Of the messages that are written, or else of the items that came in as messages."""
    written = snapshot.payload.messages or as_sent([item for item in snapshot.items if item.wire is not None])
    if not written:
        return ()
    return lint([render(message) for message in written], snapshot.payload.tools, provider)
