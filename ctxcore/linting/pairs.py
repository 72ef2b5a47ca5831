"""Calls and their results: every call answered once, directly behind its message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ctxcore.linting.finding import Finding, finding


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    name: str
    message: int  # index of the message that makes it
    where: str
    is_legacy: bool = False  # the older function_call, known by its name, which may come again


@dataclass(slots=True)
class Pairs:
    """Reads messages in order. A result goes to the nearest earlier unanswered call with its id: ids may come again."""

    waiting: dict[str, list[Call]] = field(default_factory=dict)
    answered: dict[str, int] = field(default_factory=dict)  # the message of the call that was answered last
    block: int = -1  # the message whose results may follow now; -1: none
    is_broken: bool = False  # a result of another call stood between

    def read(self, index: int, message: Mapping[str, Any]) -> Iterator[Finding]:
        role = message.get("role")
        if role in ("tool", "function"):
            yield from self._result(index, message, is_legacy=role == "function")
            return
        self.block, self.is_broken = -1, False
        if role == "assistant":
            calls = list(_calls(index, message))
            if calls:
                self.block = index
            yield from self._calls(calls)

    def rest(self) -> Iterator[Finding]:
        """The calls that no result has answered."""
        for calls in self.waiting.values():
            for call in calls:
                yield finding("call-unanswered", call.where, id=call.id, name=call.name)

    def _calls(self, calls: list[Call]) -> Iterator[Finding]:
        seen: set[str] = set()
        for call in calls:
            if call.id in seen:
                yield finding("call-id-twice", call.where, id=call.id)
                continue
            seen.add(call.id)
            earlier = self.waiting.setdefault(call.id, [])
            if not call.is_legacy and (earlier or call.id in self.answered):
                before = earlier[-1].message if earlier else self.answered[call.id]
                yield finding("call-id-reused", call.where, id=call.id, call=before)
            earlier.append(call)

    def _result(self, index: int, message: Mapping[str, Any], is_legacy: bool) -> Iterator[Finding]:
        where = f"/messages/{index}"
        name = message.get("name" if is_legacy else "tool_call_id")
        if not isinstance(name, str) or not name:
            yield finding("result-without-id", where)
            return
        waiting = self.waiting.get(name)
        if not waiting:
            self.is_broken = self.is_broken or name not in self.answered
            yield finding("result-twice" if name in self.answered else "result-without-call", where, id=name)
            return
        call = waiting.pop()
        self.answered[name] = call.message
        if call.message != self.block or self.is_broken:
            self.is_broken = True
            yield finding("result-displaced", where, id=name, call=call.message)


def _calls(index: int, message: Mapping[str, Any]) -> Iterator[Call]:
    """Those that have an id; the older `function_call` is known by its name."""
    calls = message.get("tool_calls")
    for at, call in enumerate(calls if isinstance(calls, list | tuple) else ()):
        if isinstance(call, Mapping) and isinstance(call.get("id"), str) and call["id"]:
            yield Call(call["id"], _name(call), index, f"/messages/{index}/tool_calls/{at}")
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping) and isinstance(legacy.get("name"), str) and legacy["name"]:
        yield Call(legacy["name"], legacy["name"], index, f"/messages/{index}/function_call", is_legacy=True)


def _name(call: Mapping[str, Any]) -> str:
    for kind in ("function", "custom"):
        if isinstance(inner := call.get(kind), Mapping) and isinstance(inner.get("name"), str):
            return str(inner["name"])
    return "?"
