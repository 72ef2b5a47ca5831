"""Findings of a conversation that was played turn by turn, and of the build at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxcore.findings.finding import Finding, worst_first
from ctxcore.findings.of_trace import findings_of_trace
from ctxcore.replay import Turn

LOOP = 3  # turns in a row
TRIED = 50  # messages below which little can be said of a long conversation


def findings_of_replay(turns: Sequence[Turn]) -> tuple[Finding, ...]:
    if not turns:
        return ()
    own = (*_compaction(turns), *_first_loss(turns), *_over(turns), *_short(turns))
    return worst_first((*own, *findings_of_trace(turns[-1].trace)))


def _compaction(turns: Sequence[Turn]) -> Iterator[Finding]:
    """Fires turn after turn: what it made is not kept, so the same is summarised again each time."""
    fired = [turn for turn in turns if turn.compacted]
    streak = longest = 0
    for turn in turns:
        streak = streak + 1 if turn.compacted else 0
        longest = max(longest, streak)
    if longest >= LOOP:
        facts = {
            "turns": len(fired),
            "of": len(turns),
            "first": fired[0].number,
            "row": longest,
            "rules": ", ".join(fired[0].compacted),
        }
        yield Finding(
            "find-compaction-loop", "warning", facts, remedy="find-remedy-compaction-loop", step=fired[0].number
        )


def _first_loss(turns: Sequence[Turn]) -> Iterator[Finding]:
    first = next((turn for turn in turns if turn.bit), None)
    if first:
        facts = {
            "turn": first.number,
            "messages": first.index,
            "rules": ", ".join(f"{count} {rule}" for rule, count in first.bit.items()),
        }
        yield Finding("find-first-loss", "info", facts, step=first.number)


def _over(turns: Sequence[Turn]) -> Iterator[Finding]:
    over = [turn for turn in turns if not turn.trace.fits]
    if over:
        facts = {
            "turns": len(over),
            "of": len(turns),
            "first": over[0].number,
            "room": over[0].trace.budget.room,
            "total": over[0].total,
        }
        yield Finding("find-over-room", "warning", facts, remedy="find-remedy-over-room", step=over[0].number)


def _short(turns: Sequence[Turn]) -> Iterator[Finding]:
    messages = turns[-1].index
    if messages < TRIED:
        yield Finding(
            "find-short-test", "info", {"messages": messages, "least": TRIED}, remedy="find-remedy-short-test"
        )
