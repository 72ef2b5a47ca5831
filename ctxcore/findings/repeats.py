"""Repeated calls, diagnosed in the article's order: on record? on the board? is the result intact? (c15)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ctxcore.agent.fidelity import facts_of, lost
from ctxcore.agent.growth import same_call
from ctxcore.board import fingerprint
from ctxcore.build import build
from ctxcore.decision import Facts
from ctxcore.findings.finding import Finding
from ctxcore.item import Call, Item, Source
from ctxcore.reading import message_text, pair_calls, read_calls
from ctxcore.replay import until
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace

MOST = 5  # repeated calls that are diagnosed: each takes a build
HALF = 0.5  # share of the facts of a result that must be left to know it again


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same call, answered the same, for a second time."""

    call: Call
    at: int  # index of the message that makes it again
    before: int  # … and of the one that made it first
    result: str  # id of the first result's message

    @property
    def mark(self) -> str:
        return fingerprint(self.call)


def repeats_in(scenario: Scenario) -> Iterator[Repeat]:
    """A call whose answer has changed is none: to look again was right."""
    answers = {
        (call_at, str(scenario.messages[at].get("tool_call_id") or "")): at
        for at, (call_at, _) in pair_calls(scenario.messages).items()
    }
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for at, message in enumerate(scenario.messages):
        for call in read_calls(message):
            answered = answers.get((at, call.id))
            if answered is None:
                continue
            key = same_call(call), message_text(scenario.messages[answered])
            if key in first:
                before, result = first[key]
                yield Repeat(call, at, before, scenario.ids[result])
            else:
                first[key] = at, answered


def repeated_calls(trace: Trace) -> Iterator[Finding]:
    """Each is diagnosed on the payload that these settings would have sent right before it was made."""
    asked = replace(trace.settings, query=None, edits=())
    for repeat in list(repeats_in(trace.scenario))[:MOST]:
        sent = build(until(trace.scenario, repeat.at), asked)
        facts = {"call": repeat.mark, "first": repeat.before, "again": repeat.at}
        yield diagnosed(sent, repeat.mark, trace.scenario.ids[repeat.before], repeat.result, facts)


def diagnosed(sent: Trace, mark: str, call: str, result: str, facts: Facts, step: int | None = None) -> Finding:
    """Why a call was made again although `sent` was read: `call` and `result` are the ids of its first messages."""
    left = {item.message: item for item in sent.final.items}
    if call not in left or result not in left:
        cause = "record"
    elif not any(mark in item.text for item in sent.final.items if item.source is Source.STATE):
        cause = "board"
    elif not _is_recognisable(sent, left[result]):
        cause = "observation"
    else:
        cause = "unheeded"
    return Finding(f"find-repeat-{cause}", "warning", facts, (call, result), f"find-remedy-repeat-{cause}", step)


def _is_recognisable(sent: Trace, now: Item) -> bool:
    """Whether the result still holds half of its facts."""
    then = next((item for item in sent.inputs if item.id == now.id), now)
    had = len(facts_of(then.text).all)
    return not had or len(lost(then.text, now.text).all) <= HALF * had
