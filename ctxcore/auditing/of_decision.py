"""The audit of what a stage did to an item, or to several that it made one."""

from __future__ import annotations

from ctxcore.auditing.audit import Audit, audit
from ctxcore.decision import Action, Decision
from ctxcore.groups import told
from ctxcore.running import Snapshot

SHORTENS = frozenset((Action.COMPRESSED, Action.TRUNCATED))


def texts_of(snapshot: Snapshot, decision: Decision) -> tuple[str, str]:
    """What was there before the stage, and what it left."""
    sources = set(decision.sources or (decision.item,))
    before = told(item for item in snapshot.before.items if item.id in sources)
    return "\n".join(text for _, text in before), next(
        (item.text for item in snapshot.items if item.id == decision.item), ""
    )


def audit_of(snapshot: Snapshot, decision: Decision) -> Audit | None:
    """None where nothing was shortened. Not for use on every move of a slider: it reads both texts."""
    return audit(*texts_of(snapshot, decision)) if decision.action in SHORTENS else None
