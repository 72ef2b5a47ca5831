"""One step of an agent: what was sent, what came back, what was done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ctxcore.agent.fidelity import Facts
from ctxcore.board import Board
from ctxcore.item import Call
from ctxcore.model.replies import Reply
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace
from ctxcore.words import sentence

ANSWERED, MAX_STEPS, OVERFLOW, NO_ROOM, MODEL_ERROR, STOPPED = (
    "answered",
    "max-steps",
    "window-overflow",
    "no-room",
    "model-error",
    "stopped",
)
NOTHING_LOST = Facts((), (), ())


@dataclass(frozen=True, slots=True)
class Told:
    """A rule by which the loop itself acted, with its facts."""

    rule: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def says(self, lang: str = "en") -> str:
        return sentence(self.rule, self.facts, lang)


@dataclass(frozen=True, slots=True)
class Observation:
    """A result before and after it was adapted and compressed. `lost` names the facts that did not survive."""

    raw: str
    text: str  # as it entered the context
    tokens_before: int
    tokens_after: int
    lost: Facts = NOTHING_LOST


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """`trace` is the build whose messages were sent. `scenario` and `board` are the state after the step: the trace of
    the next step is built from them. `ended` is "" while the task goes on, else why it ended."""

    number: int  # from 1
    trace: Trace
    scenario: Scenario
    board: Board
    reply: Reply | None = None  # None where the model was not asked, or failed
    thought: str = ""
    call: Call | None = None
    fingerprint: str = ""
    observed: Observation | None = None
    repeated: bool = False  # the same call was made before
    answer: str = ""
    seconds: float = 0.0  # of the whole step
    error: str = ""  # of the model, or why its reply could not be read
    told: tuple[Told, ...] = ()
    ended: str = ""

    @property
    def finished(self) -> bool:
        """The task was brought to its end, and not cut off."""
        return self.ended == ANSWERED

    @property
    def predicted(self) -> int:
        """Tokens of the prompt by our count."""
        return self.trace.totals.total

    @property
    def reported(self) -> int | None:
        """Tokens of the prompt by the endpoint's bill."""
        return self.reply.prompt_tokens if self.reply else None

    @property
    def observation_raw(self) -> str:
        return self.observed.raw if self.observed else ""

    @property
    def observation(self) -> str:
        return self.observed.text if self.observed else ""

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        """Without the trace, which has a schema of its own."""
        budget, seen = self.trace.budget, self.observed
        return {
            "number": self.number,
            "tokens": self.predicted,
            "reported": self.reported,
            "window": budget.window,
            "room": budget.room,
            "fits": self.trace.fits,
            "limits": {x.name: x.used for x in self.trace.limits},
            "thought": self.thought,
            "call": {"id": self.call.id, "name": self.call.name, "arguments": self.call.arguments}
            if self.call
            else None,
            "fingerprint": self.fingerprint,
            "repeated": self.repeated,
            "observation_raw": self.observation_raw,
            "observation": self.observation,
            "observation_tokens": [seen.tokens_before, seen.tokens_after] if seen else None,
            "lost": list(seen.lost.all) if seen else [],
            "board": {name: getattr(self.board, name) for name in ("goal", "current", "todo", "done")},
            "told": [{"rule": t.rule, "facts": dict(t.facts), "message": t.says(lang)} for t in self.told],
            "answer": self.answer,
            "seconds": round(self.seconds, 6),
            "error": self.error,
            "ended": self.ended,
        }
