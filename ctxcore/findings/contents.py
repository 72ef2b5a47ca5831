"""Findings about what was recalled and shortened: formats, pollution, lost facts, a stale board (c15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ctxcore.agent.adapters import format_of
from ctxcore.agent.fidelity import Facts, facts_of, lost
from ctxcore.agent.growth import known_calls
from ctxcore.board import fingerprint
from ctxcore.decision import Action, Decision
from ctxcore.findings.finding import Finding
from ctxcore.findings.goals import state_of
from ctxcore.item import Source
from ctxcore.layers import BOARD
from ctxcore.reading import read_calls
from ctxcore.retrieving.terms import terms
from ctxcore.running import Snapshot
from ctxcore.trace import Trace

WORTH = 20  # tokens from which on the format of a result matters
HALF = 0.5
SHOWN = 3  # lost facts that are named


def mixed_formats(trace: Trace) -> Iterator[Finding]:
    """Results of several kinds, or raw HTML, which costs tags and is misread."""
    results = [item for item in trace.final.items if item.source is Source.TOOL and item.tokens >= WORTH]
    kinds = Counter(format_of(item.text) for item in results)
    if len(kinds) < 2 and "html" not in kinds:
        return
    facts = {"kinds": ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())), "count": len(results)}
    severity = "warning" if "html" in kinds else "info"
    yield Finding(
        "find-mixed-formats", severity, facts, tuple(item.id for item in results), "find-remedy-mixed-formats"
    )


def polluted_recall(trace: Trace) -> Iterator[Finding]:
    """Documents in the payload that share no word with the current sub-task or the question."""
    task = str(state_of(trace).get("current") or "") + " " + trace.final.query
    wanted = set(terms(task))
    alien = [
        item
        for item in trace.final.items
        if item.source is Source.DOC and not item.pinned and not wanted & set(terms(f"{item.name} {item.text}"))
    ]
    if wanted and alien:
        facts = {"count": len(alien), "tokens": sum(item.tokens for item in alien)}
        yield Finding(
            "find-polluted-recall", "warning", facts, tuple(item.id for item in alien), "find-remedy-polluted-recall"
        )


def over_compression(trace: Trace) -> Iterator[Finding]:
    """Numbers, names and conclusions that a shorter text does not hold; a warning where half of them is gone."""
    hit: list[tuple[Decision, Facts, int]] = []
    for snapshot in trace.snapshots:
        for decision in snapshot.decisions:
            if decision.action in (Action.COMPRESSED, Action.TRUNCATED):
                before, after = _texts(snapshot, decision)
                hit.append((decision, lost(before, after), len(facts_of(before).all)))
    hit = [one for one in hit if one[1].all]
    if not hit:
        return
    gone = Facts(
        *(
            tuple(fact for _, facts, _ in hit for fact in getattr(facts, kind))
            for kind in ("numbers", "names", "conclusions")
        )
    )
    heavy = any(len(facts.all) > HALF * had for _, facts, had in hit)
    told = {
        "count": len(hit),
        "numbers": len(gone.numbers),
        "names": len(gone.names),
        "conclusions": len(gone.conclusions),
        "first": ", ".join(gone.all[:SHOWN]),
    }
    yield Finding(
        "find-over-compression",
        "warning" if heavy else "info",
        told,
        tuple(d.item for d, _, _ in hit),
        "find-remedy-over-compression",
    )


def _texts(snapshot: Snapshot, decision: Decision) -> tuple[str, str]:
    sources = set(decision.sources or (decision.item,))
    before = "\n".join(item.text for item in snapshot.before.items if item.id in sources)
    return before, next((item.text for item in snapshot.items if item.id == decision.item), "")


def must_keep(trace: Trace) -> Iterator[Finding]:
    """Texts that the scenario says must not be lost."""
    for text in trace.scenario.must_keep:
        told = trace.story(text)
        if told.found and told.fate == "lost":
            yield Finding(
                "find-must-keep-lost",
                "warning",
                {"text": text[:80]},
                tuple(s.item for s in told.stories),
                "find-remedy-must-keep-lost",
            )


def stale_board(trace: Trace) -> Iterator[Finding]:
    """A state that notes calls, but not all that were answered; unless a board is written anew from the calls."""
    done = [str(one) for one in state_of(trace).get("done") or () if isinstance(one, str)]
    calls = [call for message in trace.scenario.messages for call in read_calls(message)]
    notes_calls = any(one.startswith(f"{call.name}:") for one in done for call in calls)
    if not notes_calls or any(item.id == BOARD for item in trace.final.items):
        return
    answered = known_calls(trace.scenario)
    missing = [mark for mark in dict.fromkeys(map(fingerprint, calls)) if mark not in done]
    if missing and answered:
        state = trace.scenario.state.id if trace.scenario.state else ""
        yield Finding(
            "find-stale-board",
            "warning",
            {"count": len(missing), "first": missing[0]},
            (state,),
            "find-remedy-stale-board",
        )
