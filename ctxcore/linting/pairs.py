"""Calls and their results: every call answered once; where the provider wants it so, directly behind its message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ctxcore.linting.finding import Finding
from ctxcore.wire.blocks import NO_ID, Block, Turn

Say = Callable[..., Finding]


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    name: str
    turn: int | None  # index of the message that makes it
    where: str
    is_legacy: bool = False  # the older function_call, known by its name, which may come again


@dataclass(slots=True)
class Pairs:
    """Reads turns in order. A result goes to the nearest earlier unanswered call with its id: ids may come again."""

    say: Say
    is_adjacent: bool = True  # whether results must stand right behind their call
    waiting: dict[str, list[Call]] = field(default_factory=dict)
    answered: dict[str, int | None] = field(default_factory=dict)  # the message of the call that was answered last
    block: int | None = None  # the message whose results may follow now
    is_broken: bool = False  # a result of another call stood between

    def read(self, turn: Turn) -> Iterator[Finding]:
        calls = [call for block in turn.blocks if block.kind == "call" for call in _call(block, turn)]
        results = [block for block in turn.blocks if block.kind == "result"]
        if calls or not results:
            self.block, self.is_broken = (turn.index if calls else None), False
        yield from self._calls(calls)
        for block in results:
            yield from self._result(block, turn)

    def rest(self) -> Iterator[Finding]:
        """The calls that no result has answered."""
        for calls in self.waiting.values():
            for call in calls:
                yield self.say("call-unanswered", call.where, id=call.id, name=call.name)

    def _calls(self, calls: list[Call]) -> Iterator[Finding]:
        seen: set[str] = set()
        for call in calls:
            if call.id in seen:
                yield self.say("call-id-twice", call.where, id=call.id)
                continue
            seen.add(call.id)
            earlier = self.waiting.setdefault(call.id, [])
            if not call.is_legacy and (earlier or call.id in self.answered):
                before = earlier[-1].turn if earlier else self.answered[call.id]
                yield self.say("call-id-reused", call.where, id=call.id, call=before)
            earlier.append(call)

    def _result(self, block: Block, turn: Turn) -> Iterator[Finding]:
        key = block.name if turn.role == "function" else block.id
        if not key or key == NO_ID:
            yield self.say("result-without-id", block.where)
            return
        waiting = self.waiting.get(key)
        if not waiting:
            self.is_broken = self.is_broken or key not in self.answered
            yield self.say("result-twice" if key in self.answered else "result-without-call", block.where, id=key)
            return
        call = waiting.pop()
        self.answered[key] = call.turn
        if self.is_adjacent and (call.turn != self.block or self.is_broken):
            self.is_broken = True
            yield self.say("result-displaced", block.where, id=key, call=call.turn)


def _call(block: Block, turn: Turn) -> Iterator[Call]:
    """Those that have an id; the older `function_call` is known by its name."""
    if block.id and turn.role == "assistant":
        yield Call(block.id, block.name or "?", turn.index, block.where)
    elif block.where.endswith("/function_call") and block.name and turn.role == "assistant":
        yield Call(block.name, block.name, turn.index, block.where, is_legacy=True)
