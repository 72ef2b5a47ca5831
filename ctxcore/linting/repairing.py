"""What makes a conversation acceptable to a provider: which messages go, change or move, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ctxcore.linting.mending import is_empty, mended
from ctxcore.linting.policies import POLICIES
from ctxcore.wire.blocks import Turn, mapping
from ctxcore.wire.chat import read_chat

Facts = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Repaired:
    """`at` is the message's place in what came in; `message` is None where it goes."""

    at: int
    message: Mapping[str, Any] | None
    rule: str = ""  # "" where nothing was done to it
    facts: Facts = field(default_factory=dict)
    behind: int | None = None  # the message that it moved behind, where it stood elsewhere


def repairs(messages: Sequence[Mapping[str, Any]], provider: str = "openai") -> tuple[Repaired, ...]:
    """Every message, in the order in which they can be sent. Those left lint free of errors; linear."""
    mended_all = [_shaped(at, message, provider) for at, message in enumerate(messages)]
    paired = _Pairing([one.message or {} for one in mended_all])
    kept = [paired.left(one) for one in mended_all]
    ordered = [_void(kept[at]) for at in paired.order()]
    return tuple(_from_user(ordered) if POLICIES[provider].starts_with_assistant == "error" else ordered)


def _shaped(at: int, message: Mapping[str, Any], provider: str) -> Repaired:
    new = mended(message, provider)
    return Repaired(at, message) if new == message else Repaired(at, new, "repair-shape", {})


def _void(one: Repaired) -> Repaired:
    """A message that says nothing goes."""
    if one.message is None or not is_empty(one.message):
        return one
    rule = one.rule if one.rule == "repair-unanswered" else "repair-empty"
    return replace(one, message=None, rule=rule, facts=one.facts or {"role": str(one.message.get("role"))})


def _from_user(kept: Sequence[Repaired]) -> Iterator[Repaired]:
    """What stands before the first user's message, instructions apart, goes."""
    has_begun = False
    for one in kept:
        role = mapping(one.message).get("role")
        has_begun = has_begun or role == "user"
        if has_begun or one.message is None or role in ("system", "developer"):
            yield one
        else:
            yield replace(one, message=None, rule="repair-before-user", facts={"role": str(role)})


class _Pairing:
    """Which result answers which call: the nearest earlier unanswered one with its id."""

    def __init__(self, messages: Sequence[Mapping[str, Any]]) -> None:
        self.caller: dict[int, int] = {}  # place of a result → place of the message that called
        self.answered: dict[int, set[str]] = {}  # place of a message → marks of its answered calls
        self.why: dict[int, str] = {}  # results that answer nothing
        self.count = len(messages)
        waiting: dict[str, list[tuple[int, str]]] = {}
        known: set[str] = set()
        for turn in read_chat({"messages": messages}).turns:
            at = turn.index or 0
            for mark in _marks(turn, "call"):
                waiting.setdefault(mark, []).append((at, mark))
                known.add(mark)
            for mark in _marks(turn, "result"):
                self._answer(at, mark, waiting.get(mark), mark in known)

    def _answer(self, at: int, mark: str, waiting: list[tuple[int, str]] | None, is_known: bool) -> None:
        if not waiting:
            self.why[at] = "repair-twice" if is_known else "repair-orphan"
            return
        self.caller[at], key = waiting.pop()
        self.answered.setdefault(self.caller[at], set()).add(key)

    def left(self, one: Repaired) -> Repaired:
        """The message without calls that nobody answered; None for a result that answers nothing."""
        if rule := self.why.get(one.at):
            return replace(one, message=None, rule=rule, facts={"id": str(mapping(one.message).get("tool_call_id"))})
        message = mapping(one.message)
        new = _answered_only(message, self.answered.get(one.at, set()))
        if new == message:
            return self._moved(one)
        return replace(one, message=new, rule="repair-unanswered", facts={"names": _names(message, new)})

    def _moved(self, one: Repaired) -> Repaired:
        caller = self.caller.get(one.at)
        if caller is None or all(self.caller.get(at) == caller for at in range(caller + 1, one.at)):
            return one
        return replace(one, rule=one.rule or "repair-order", behind=caller)

    def order(self) -> list[int]:
        """Places, each result right behind its call."""
        behind: dict[int, list[int]] = {}
        for at, caller in self.caller.items():
            behind.setdefault(caller, []).append(at)
        return [at for place in range(self.count) if place not in self.caller for at in (place, *behind.get(place, ()))]


def _marks(turn: Turn, kind: str) -> Iterator[str]:
    for block in turn.blocks:
        if block.kind == kind and (turn.role == "assistant") == (kind == "call"):
            is_legacy = block.where.endswith("/function_call") or turn.role == "function"
            yield f"function:{block.name}" if is_legacy else block.id


def _answered_only(message: Mapping[str, Any], answered: set[str]) -> Mapping[str, Any]:
    if message.get("role") != "assistant":
        return message
    calls = message.get("tool_calls")
    out = dict(message)
    if isinstance(calls, list):
        left = [call for call in calls if call["id"] in answered]
        out["tool_calls"] = left
        if not left:
            del out["tool_calls"]
    legacy = mapping(message.get("function_call"))
    if legacy and f"function:{legacy.get('name')}" not in answered:
        del out["function_call"]
    return message if out == message else out


def _names(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Of the calls that are gone."""
    left = {call["id"] for call in after.get("tool_calls", ())}
    gone = [call for call in before.get("tool_calls") or () if call["id"] not in left]
    names = [mapping(call.get(call.get("type", "function"))).get("name") for call in gone]
    if "function_call" in before and "function_call" not in after:
        names.append(mapping(before["function_call"]).get("name"))
    return ", ".join(str(name) for name in names)
