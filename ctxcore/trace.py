"""The trace: everything that happened in one build. All that is shown anywhere is a reading of it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ctxcore.budget import Budget, smallest_window
from ctxcore.counting.images import media_tokens
from ctxcore.counting.models import Model
from ctxcore.counting.totals import Totals, totals
from ctxcore.decision import Problem
from ctxcore.item import Item, Media
from ctxcore.message import Message, render
from ctxcore.payload import Payload
from ctxcore.running import Snapshot
from ctxcore.scenario import Scenario
from ctxcore.services import Counter
from ctxcore.settings import Settings
from ctxcore.systems.system import System

if TYPE_CHECKING:
    from ctxcore.explaining.why import Story
    from ctxcore.guarding.shield import Shield


@dataclass(frozen=True, slots=True)
class LimitUse:
    """One limit as it was at work: `cap` tokens bound it, `used` tokens of the final payload count to it."""

    name: str
    cap: int
    share: float | None
    used: int
    sources: tuple[str, ...]
    typed: str


@dataclass(frozen=True, slots=True)
class Span:
    item: str
    message: int  # index
    start: int  # token offsets in the payload; tool definitions come before the first message
    end: int


@dataclass(frozen=True)
class Trace:
    """Everything that happened in one build; all that is shown anywhere is a reading of it."""

    settings: Settings
    system: System
    model_name: str  # as asked for
    model: Model
    budget: Budget
    scenario: Scenario
    snapshots: tuple[Snapshot, ...]
    shield: Shield | None = field(
        default=None, repr=False
    )  # placeholders for what a guardrail hides: `restore` a reply

    @property
    def inputs(self) -> tuple[Item, ...]:
        """What came in: the items before the first stage, or those that it gathered."""
        return self.snapshots[0].before.items or self.snapshots[0].items

    @property
    def final(self) -> Payload:
        return self.snapshots[-1].payload

    @property
    def counter(self) -> Counter:
        return self.final.counter

    @cached_property
    def totals(self) -> Totals:
        final = self.final
        return totals(self.model, self.counter, final.tools, final.items, final.messages, self.scenario.form)

    @cached_property
    def estimated(self) -> tuple[str, ...]:
        """What of the total is no exact count: media whose size or rule is not known for sure, tool definitions."""
        doubtful = {
            str(part.kind)
            for item in self.final.items
            for part in item.parts
            if isinstance(part, Media) and media_tokens(self.model, part)[1] != "exact"
        }
        return (*sorted(doubtful), *(("tools",) if self.final.tools else ()))

    @property
    def fits(self) -> bool:
        return self.totals.total <= self.budget.room

    @property
    def floor(self) -> int:
        return self.final.floor

    @property
    def smallest_window(self) -> int:
        """The smallest window that holds what may never be dropped, with the reserve that the settings then give."""
        return smallest_window(
            self.floor, self.settings.reserve, partial(self.system.native_reserve, self.settings.variant)
        )

    @property
    def may_overflow(self) -> bool:
        """`raw` and `article` show what happens without management; only a managed build promises to fit."""
        return self.system.name == "raw" or self.settings.variant == "article"

    @property
    def exit_code(self) -> int:
        has_room = self.budget.room > 0
        return 0 if has_room and (self.fits or self.may_overflow) else 3

    @property
    def messages(self) -> list[dict[str, Any]]:
        """OpenAI chat messages, ready to send; fresh copies."""
        return [render(message) for message in self.final.messages]

    @property
    def tools(self) -> list[dict[str, Any]]:
        return [copy.deepcopy(dict(tool)) for tool in self.final.tools]

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Where each surviving item lies, in token offsets of the payload."""
        return tuple(
            Span(item.id, at, start + begin, start + end)
            for at, (start, _, message) in enumerate(self._placed())
            for item, begin, end in message.spans(self.model, self.counter)
        )

    @cached_property
    def map(self) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
        """(start, end, item ids) of each message, in token offsets after the tool definitions."""
        return tuple((start, end, tuple(item.id for item in message.items)) for start, end, message in self._placed())

    def _placed(self) -> Iterator[tuple[int, int, Message]]:
        at = self.totals.tools
        for message in self.final.messages:
            end = at + message.cost(self.model, self.counter)
            yield at, end, message
            at = end

    @cached_property
    def limits(self) -> tuple[LimitUse, ...]:
        used: dict[str, int] = {}
        for item in self.final.items:
            for name in self.system.limits_of(item):
                used[name] = used.get(name, 0) + item.tokens
        caps = self.budget.caps()
        return tuple(
            LimitUse(x.name, caps[x.name], x.share, used.get(x.name, 0), tuple(x.sources), x.typed)
            for x in self.budget.limits
        )

    @property
    def failed(self) -> str:
        """The stage that raised; "" where none did."""
        return next((snapshot.name for snapshot in self.snapshots if snapshot.skipped == "stage-raised"), "")

    def problems_of(self, snapshot: Snapshot) -> tuple[Problem, ...]:
        """What a stage reported, and, at the last one, whether the payload as a whole is over the room."""
        found = list(snapshot.problems)
        if snapshot is self.snapshots[0] and (surplus := self.budget.surplus()):
            found.insert(
                0,
                Problem(
                    "shares-over-window", "warning", {"surplus": round(100 * surplus, 2), "window": self.budget.window}
                ),
            )
        if snapshot is not self.snapshots[-1]:
            return tuple(found)
        if not self.final.messages and self.final.items and not self.failed:
            found.append(Problem("not-assembled", "error", {}))
        if not self.fits and not any(problem.rule == "floor" for problem in found):
            found.append(self._over_room())
        return tuple(found)

    def _over_room(self) -> Problem:
        """Why the payload does not fit: the floor, as the stage that assembled said, or that it is too much."""
        told = [problem for snapshot in self.snapshots for problem in snapshot.problems if problem.rule == "floor"]
        over = {"total": self.totals.total, "room": self.budget.room, "over": self.totals.total - self.budget.room}
        return told[-1] if told else Problem("over-budget", "error", over)

    def story(self, text: str) -> Story:
        """Where `text` went: what each stage did to every item that held it, and how it ended."""
        from ctxcore.explaining.why import story

        return story(self, text)

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        """The trace in the schema `ctxcore.trace/1`."""
        from ctxcore.export import trace_json

        return trace_json(self, lang)
