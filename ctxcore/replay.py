"""Any conversation played turn by turn: the build as it would have been each time the model was asked (b17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.build import build
from ctxcore.decision import Action
from ctxcore.errors import InputError
from ctxcore.reading import message_text
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings, settings_for
from ctxcore.trace import LimitUse, Trace

MOMENTS = ("reply", "question")
# Rules by which older turns become a summary, in any system.
COMPACTIONS = frozenset(("summarized", "rounds-summarized", "compressed-recent"))
FORCED = "force-compacted"


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """The build before message `index` of the conversation: what the model would have been sent there."""

    number: int  # from 1
    index: int  # messages that had been said by then
    question: str
    trace: Trace
    growth: int  # tokens more than the turn before

    @property
    def total(self) -> int:
        return self.trace.totals.total

    @property
    def unmanaged(self) -> int:
        """Tokens of all that came in, without framing: what would be sent if nothing was done about it."""
        return sum(item.tokens for item in self.trace.inputs)

    @property
    def limits(self) -> tuple[LimitUse, ...]:
        return self.trace.limits

    @property
    def bit(self) -> Mapping[str, int]:
        """Rules by which something was dropped or cut short, with how often."""
        hard = (Action.DROPPED, Action.TRUNCATED, Action.COMPRESSED)
        return Counter(d.rule for snapshot in self.trace.snapshots for d in snapshot.decisions if d.action in hard)

    @property
    def compacted(self) -> tuple[str, ...]:
        """Rules of the compactions that fired."""
        reported = {problem.rule for snapshot in self.trace.snapshots for problem in snapshot.problems}
        return tuple(sorted((COMPACTIONS & self.bit.keys()) | ({FORCED} & reported)))

    def to_json(self) -> dict[str, Any]:
        budget = self.trace.budget
        return {
            "number": self.number,
            "index": self.index,
            "question": self.question,
            "total": self.total,
            "room": budget.room,
            "window": budget.window,
            "fits": self.trace.fits,
            "growth": self.growth,
            "unmanaged": self.unmanaged,
            "limits": [{"name": x.name, "used": x.used, "cap": x.cap} for x in self.limits],
            "bit": dict(self.bit),
            "compacted": list(self.compacted),
        }


def replay(
    scenario: Scenario, settings: Settings | None = None, *, at: str = "reply", services: Services | None = None
) -> Iterator[Turn]:
    """One turn before each message of the assistant, and one at the end if it is the assistant's turn; `at="question"`:
    one for each message of the user.

    The file's state tells of the end, so that the turns before the last are built without it. Raises as build does.
    """
    asked = settings or settings_for(scenario, {})
    before = 0
    for number, end in enumerate(moments(scenario, at), 1):
        trace = build(until(scenario, end), asked, services=services)
        total = trace.totals.total
        yield Turn(number, end, trace.final.query, trace, total - before)
        before = total


def moments(scenario: Scenario, at: str = "reply") -> tuple[int, ...]:
    """How many messages had been said each time that the model was asked."""
    if at not in MOMENTS:
        raise InputError("replay-at", at=at, there=MOMENTS)
    roles = [str(message.get("role")) for message in scenario.messages]
    if at == "question":
        pairs = enumerate(zip(roles, scenario.ids, strict=True))
        return tuple(place + 1 for place, (role, key) in pairs if role == "user" and key not in scenario.unasked)
    found = [
        place
        for place, role in enumerate(roles)
        if role == "assistant" and any(r not in ("system", "developer") for r in roles[:place])
    ]
    open_end = bool(roles) and roles[-1] not in ("assistant", "system", "developer")
    return (*found, *((len(roles),) if open_end else ()))


def until(scenario: Scenario, end: int) -> Scenario:
    """The conversation as it was when its first `end` messages had been said."""
    if end >= len(scenario.messages):
        return scenario
    return scenario.edited(messages=scenario.messages[:end], ids=scenario.ids[:end], state=None)


def first_words(turn: Turn, width: int = 60) -> str:
    """What the model had to react to: the last message, in one line."""
    messages = turn.trace.scenario.messages
    line = " ".join(message_text(messages[-1]).split()) if messages else ""
    return line if len(line) <= width else line[: width - 1] + "…"
