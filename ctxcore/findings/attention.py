"""Findings about what the model reads badly: instructions in the trough, a goal that is gone or far away (c15)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxcore.findings.finding import Finding
from ctxcore.findings.goals import WORDS, goal_of
from ctxcore.item import Item, Source
from ctxcore.placing.placement import Block, Placement, placement
from ctxcore.trace import Trace

FULL_ENOUGH = 0.5  # of the window: below it, places make little difference
HEAD = 0.1  # of the payload: what stands there is read well, until the window is …
NEARLY_FULL = 0.85  # … this full
NEAR_END = 0.66  # of the payload: from here on, what is said again counts as repeated near the end
FAR = 0.5  # the goal must stand in the last half of the payload …
LONG = 2_000  # tokens … if that is longer than this
_ORDERS = re.compile(
    r"\b(?:must|always|never|only|do not|don't|make sure|at most|at least)\b|必须|务必|不要|不得|只能|始终|一定",
    re.IGNORECASE,
)


def early_instructions(trace: Trace) -> Iterator[Finding]:
    """System texts, pins and the user's first orders that lie where least is recalled."""
    seen = placement(trace)
    if seen.fill < FULL_ENOUGH:
        return
    lying = [block for block in seen.blocks if _is_instruction(trace, block.item) and _is_lost(seen, block)]
    if lying:
        gain = max(block.best - block.here for block in lying)
        facts = {"count": len(lying), "gain": round(100 * gain, 1), "share": round(100 * seen.fill, 1)}
        yield Finding(
            "find-early-instruction",
            "warning",
            facts,
            tuple(block.item.id for block in lying),
            "find-remedy-early-instruction",
        )


def _is_instruction(trace: Trace, item: Item) -> bool:
    if item.pinned or item.source is Source.SYSTEM:
        return True
    first = next(
        (
            m
            for m, message in zip(trace.scenario.ids, trace.scenario.messages, strict=True)
            if message.get("role") == "user"
        ),
        "",
    )
    return item.id == first and item.source is Source.CONVERSATION and _ORDERS.search(item.text) is not None


def _is_lost(seen: Placement, block: Block) -> bool:
    """In the trough and not at the head, and not said again near the end."""
    middle = (block.start + block.end) / 2 / seen.total
    if middle < HEAD and seen.fill < NEARLY_FULL:
        return False
    words = " ".join(block.item.text.split())[:WORDS]
    again = any(
        other.start > NEAR_END * seen.total and words in " ".join(other.item.text.split()) for other in seen.blocks
    )
    return not again and (block.marked or seen.trough[0] < middle < seen.trough[1])


def task_drift(trace: Trace) -> Iterator[Finding]:
    """The goal of a task that is under way, where the payload does not hold it, or not near its end."""
    goal = goal_of(trace)
    if not goal:
        return
    ends = {span.item: span.end for span in trace.spans}
    holders = [item for item in trace.final.items if goal.words in " ".join(item.text.split())]
    if not holders:
        yield Finding("find-goal-lost", "warning", {"goal": goal.shown}, (goal.item,), "find-remedy-goal")
        return
    total, nearest = trace.totals.total, max(ends.get(item.id, 0) for item in holders)
    if total > LONG and nearest < FAR * total:
        facts = {"goal": goal.shown, "after": total - nearest, "total": total}
        yield Finding("find-goal-far", "warning", facts, tuple(item.id for item in holders), "find-remedy-goal")
