"""Findings about the window: too full, without limits, too much system prompt, beyond the model's own."""

from __future__ import annotations

from collections.abc import Iterator

from ctxcore.decision import Action
from ctxcore.findings.finding import Finding
from ctxcore.item import Source
from ctxcore.replay import COMPACTIONS
from ctxcore.running import Snapshot
from ctxcore.trace import Trace

FULL = 0.85  # of the window: article 3's threshold
SYSTEM_SHARE = 0.15  # of the window: article 2's share


def overlong(trace: Trace) -> Iterator[Finding]:
    total, window = trace.totals.total, trace.budget.window
    if total > FULL * window:
        facts = {"total": total, "window": window, "share": round(100 * total / max(1, window), 1)}
        yield Finding("find-overlong", "warning", facts, remedy="find-remedy-overlong")
        if not trace.budget.limits:
            yield Finding("find-no-limits", "warning", facts, remedy="find-remedy-no-limits")


def system_share(trace: Trace) -> Iterator[Finding]:
    system = [item for item in trace.final.items if item.source is Source.SYSTEM]
    used, window = sum(item.tokens for item in system), trace.budget.window
    if used > SYSTEM_SHARE * window:
        facts = {"used": used, "window": window, "share": round(100 * used / max(1, window), 1)}
        yield Finding(
            "find-system-share", "warning", facts, tuple(item.id for item in system), "find-remedy-system-share"
        )


def window_over_model(trace: Trace) -> Iterator[Finding]:
    if trace.model.is_known and trace.budget.window > trace.model.window:
        facts = {"window": trace.budget.window, "own": trace.model.window, "model": trace.model_name}
        yield Finding("find-window-over-model", "warning", facts, remedy="find-remedy-window-over-model")


def early_compaction(trace: Trace) -> Iterator[Finding]:
    """Older turns were summarised although their limit and the room would have held them."""
    for snapshot in trace.snapshots:
        fired = [d for d in snapshot.decisions if d.action is Action.COMPRESSED and d.rule in COMPACTIONS]
        if fired and (facts := _needless(trace, snapshot, fired[0].sources)):
            yield Finding("find-early-compaction", "warning", facts, fired[0].sources, "find-remedy-early-compaction")


def _needless(trace: Trace, snapshot: Snapshot, sources: tuple[str, ...]) -> dict[str, str | int]:
    items = snapshot.before.items
    first = next((item for item in items if item.id in sources), None)
    limit = trace.system.limit_of(first) if first else ""
    caps = trace.budget.caps()
    if limit not in caps:
        return {}
    written = {
        d.item for d in snapshot.decisions if d.action is Action.ADDED
    }  # such as the board, which takes room too
    held_too = (*items, *(item for item in snapshot.items if item.id in written))
    used = sum(item.tokens for item in held_too if trace.system.limit_of(item) == limit)
    spent = sum(item.tokens + item.frame for item in held_too) + trace.budget.fixed
    held = used <= caps[limit] and spent <= trace.budget.room
    return {"stage": snapshot.name, "limit": limit, "used": used, "cap": caps[limit]} if held else {}
