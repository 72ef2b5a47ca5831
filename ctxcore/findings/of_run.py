"""Findings of an agent's run, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ctxcore.agent.adapters import format_of
from ctxcore.agent.fidelity import facts_of
from ctxcore.agent.growth import same_call
from ctxcore.agent.step import Step
from ctxcore.board import fingerprint
from ctxcore.findings.contents import WORTH
from ctxcore.findings.finding import Finding, worst_first
from ctxcore.findings.of_trace import OF_ONE_BUILD
from ctxcore.findings.repeats import diagnosed
from ctxcore.findings.windows import overlong
from ctxcore.item import Source
from ctxcore.layers import BOARD

ELSEWHERE = frozenset(
    ("find-overlong", "find-no-limits", "find-mixed-formats")
)  # read off the steps, not off the last build


def findings_of_run(steps: Sequence[Step]) -> tuple[Finding, ...]:
    """Each with the step at which it first shows; with those of the last build."""
    if not steps:
        return ()
    own = (
        *_unfinished(steps),
        *_repeats(steps),
        *_full(steps),
        *_stale(steps),
        *_formats(steps),
        *_bare(steps),
        *_unread(steps),
        *_counts(steps),
    )
    end = steps[-1]
    last = (
        replace(one, step=end.number) for rule in OF_ONE_BUILD for one in rule(end.trace) if one.rule not in ELSEWHERE
    )
    return worst_first((*own, *last))


def _unfinished(steps: Sequence[Step]) -> Iterator[Finding]:
    last = steps[-1]
    if last.ended and not last.finished:
        facts = {"steps": len(steps), "total": last.predicted, "window": last.trace.budget.window, "error": last.error}
        yield Finding(
            f"find-ended-{last.ended}", "warning", facts, remedy=f"find-remedy-ended-{last.ended}", step=last.number
        )


def _repeats(steps: Sequence[Step]) -> Iterator[Finding]:
    """On what was sent in that step. One that was recognised cost a step, not a search: no more than a note."""
    first: dict[str, Step] = {}
    for step in steps:
        if not step.call:
            continue
        before = first.setdefault(same_call(step.call), step)
        if not step.repeated or before is step or not before.call:
            continue
        facts: dict[str, str | int] = {"call": step.fingerprint, "first": before.number, "again": step.number}
        if any(told.rule == "agent-repeat" for told in step.told):
            yield Finding("find-repeat-answered", "info", facts, step=step.number)
            continue
        call, result = before.scenario.ids[-2:]
        yield diagnosed(step.trace, step.fingerprint, call, result, facts, step.number)


def _full(steps: Sequence[Step]) -> Iterator[Finding]:
    """The first step at which the window was nearly full."""
    for step in steps:
        found = tuple(overlong(step.trace))
        if found:
            yield from (replace(one, step=step.number) for one in found)
            return


def _stale(steps: Sequence[Step]) -> Iterator[Finding]:
    """A board that does not name the call of the step before."""
    for before, step in pairwise(steps):
        board = next((item for item in step.trace.final.items if item.id == BOARD), None)
        if board and before.call and fingerprint(before.call) not in board.text and '"done":[' not in board.text:
            yield Finding(
                "find-stale-board",
                "warning",
                {"count": 1, "first": before.fingerprint},
                (BOARD,),
                "find-remedy-stale-board",
                step.number,
            )
            return


def _formats(steps: Sequence[Step]) -> Iterator[Finding]:
    """Results that entered as they came, in more than one format."""
    raw = [
        step
        for step in steps
        if step.observed and step.observed.text == step.observed.raw and step.observed.tokens_after >= WORTH
    ]
    kinds = Counter(format_of(step.observation_raw) for step in raw)
    if len(kinds) > 1 or "html" in kinds:
        facts = {"kinds": ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())), "count": len(raw)}
        yield Finding(
            "find-mixed-formats",
            "warning" if "html" in kinds else "info",
            facts,
            remedy="find-remedy-mixed-formats",
            step=raw[0].number,
        )


def _bare(steps: Sequence[Step]) -> Iterator[Finding]:
    """Observations that held numbers, and entered without any."""
    for step in steps:
        seen = step.observed
        if seen and seen.lost.numbers and len(seen.lost.numbers) == len(facts_of(seen.raw).numbers):
            facts = {
                "count": 1,
                "numbers": len(seen.lost.numbers),
                "names": len(seen.lost.names),
                "conclusions": len(seen.lost.conclusions),
                "first": ", ".join(seen.lost.all[:3]),
            }
            results = tuple(item.id for item in step.trace.final.items if item.source is Source.TOOL)[-1:]
            yield Finding(
                "find-over-compression", "warning", facts, results, "find-remedy-over-compression", step.number
            )


def _unread(steps: Sequence[Step]) -> Iterator[Finding]:
    unread = [step for step in steps if any(told.rule == "agent-unread" for told in step.told)]
    if unread:
        facts = {"count": len(unread), "of": len(steps)}
        yield Finding("find-unread", "warning", facts, remedy="find-remedy-unread", step=unread[0].number)


def _counts(steps: Sequence[Step]) -> Iterator[Finding]:
    """Where the endpoint's bill differs from our count."""
    off = [
        (step, step.reported - step.predicted)
        for step in steps
        if step.reported is not None and step.reported != step.predicted
    ]
    if off:
        step, difference = max(off, key=lambda pair: abs(pair[1]))
        facts = {"count": len(off), "of": len(steps), "most": difference, "predicted": step.predicted}
        yield Finding("find-count-differs", "info", facts, step=step.number)
