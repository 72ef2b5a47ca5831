"""What a provider minds in a request, whichever shape it was read from: pairs, order, emptiness, names, thoughts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.linting.finding import Finding, finding
from ctxcore.linting.pairs import Pairs
from ctxcore.linting.policies import POLICIES, Policy
from ctxcore.wire.blocks import Block, Request, Turn, mapping, sequence
from ctxcore.words import Phrase

SYSTEM = ("system", "developer")
ROLES = {
    "openai-responses": ("system", "developer", "user", "assistant", "tool"),
    "anthropic": ("user", "assistant", "system"),
    "gemini": ("user", "assistant", "tool", "system"),
}


def judge(request: Request, provider: str) -> Iterator[Finding]:
    """Of a request in the provider's own shape, or in OpenAI's chat shape on its way to that provider."""
    yield from _Judge(request, provider, POLICIES[provider]).turns()


@dataclass(frozen=True, slots=True)
class _Judge:
    request: Request
    provider: str
    policy: Policy

    def say(self, rule: str, where: str, /, severity: str = "", **facts: Any) -> Finding:
        return finding(rule, where, self.provider, severity, **facts)

    def turns(self) -> Iterator[Finding]:
        pairs = Pairs(self.say, self.policy.adjacent)
        before, is_first = "", True  # … of those that are no system messages
        for turn in self.request.turns:
            yield from self._own(turn)
            yield from pairs.read(turn)
            role = turn.role
            if role == before and role in ("user", "assistant") and self.policy.same_role:
                yield self.say("same-role-twice", turn.where, self.policy.same_role, role=role)
            if is_first and role == "assistant" and self.policy.starts_with_assistant:
                yield self.say("starts-with-assistant", turn.where, self.policy.starts_with_assistant)
            if not is_first and role in SYSTEM and self.policy.system_inside:
                yield self.say("system-inside", turn.where, self.policy.system_inside, role=role)
            is_first, before = is_first and role in SYSTEM, role
        yield from pairs.rest()
        yield from self._last()
        yield from _thoughts(self.request, self.policy, self.say)
        yield from self._marks()

    def _own(self, turn: Turn) -> Iterator[Finding]:
        if self.request.shape != "openai":  # whose own shape is judged in detail elsewhere
            known = ROLES[self.request.shape]
            if turn.role not in known:
                yield self.say("role-unknown", f"{turn.where}/role", role=turn.role, known=", ".join(known))
            elif not turn.blocks and turn is not self.request.turns[-1]:
                yield from self._empty(turn)
        for block in turn.blocks:
            if block.kind == "call":
                yield from self._call(block)
            elif block.kind == "text" and self.policy.blank and not block.text.strip():
                yield self.say("text-blank", block.where, self.policy.blank, role=turn.role)
        if self.policy.results_first and self.request.shape == "anthropic":
            yield from self._results_first(turn)

    def _empty(self, turn: Turn) -> Iterator[Finding]:
        is_item = self.request.shape == "openai-responses" and turn.given.get("type", "message") != "message"
        if not is_item and turn.index is not None:
            yield self.say("content-empty", turn.where, role=turn.role)

    def _call(self, block: Block) -> Iterator[Finding]:
        name = self.policy.tool_name
        if name and block.name and not name.fullmatch(block.name) and self.provider != "openai":
            yield self.say("call-name-invalid", block.where, name=block.name, wanted=name.pattern)
        if self.policy.call_id and block.id and not self.policy.call_id.fullmatch(block.id):
            yield self.say("call-id-invalid", block.where, id=block.id, wanted=self.policy.call_id.pattern)
        if self.provider != "openai" and (problem := _no_object(block.text)):
            severity = self.policy.arguments
            yield self.say("arguments-not-json", block.where, severity, name=block.name, problem=problem)

    def _results_first(self, turn: Turn) -> Iterator[Finding]:
        is_behind = False
        depth = turn.where.count("/") + 2  # of what the message says itself; a result's own parts lie deeper
        for block in turn.blocks if turn.role == "user" else ():
            if block.kind == "result" and is_behind:
                yield self.say("result-behind-text", block.where, id=block.id)
            is_behind = is_behind or (block.kind in ("text", "media") and block.where.count("/") == depth)

    def _last(self) -> Iterator[Finding]:
        last = self.request.turns[-1] if self.request.turns else None
        texts = [block.text for block in last.blocks if block.kind == "text"] if last else []
        if (
            last
            and last.role == "assistant"
            and texts
            and self.policy.trailing_blank
            and texts[-1] != texts[-1].rstrip()
        ):
            yield self.say("ends-in-blanks", last.where, self.policy.trailing_blank)

    def _marks(self) -> Iterator[Finding]:
        most = self.policy.most_marks
        given = [turn.given for turn in self.request.turns if turn.given]
        parts = [part for message in given for part in sequence(message.get("content"))]
        marks = sum("cache_control" in mapping(one) for one in (*parts, *self.request.tools))
        if most is not None and marks > most:
            yield self.say("too-many-cache-marks", "/messages", count=marks, most=most)


def _no_object(text: str) -> str:
    """Why arguments are no JSON object; "" where they are one."""
    try:
        return "" if isinstance(json.loads(text or "{}"), Mapping) else Phrase("found-no-object")
    except (ValueError, RecursionError) as error:
        return str(error)


def _thoughts(request: Request, policy: Policy, say: Any) -> Iterator[Finding]:
    if policy.followed and request.shape == "openai-responses":
        yield from _alone(request, say)
    if policy.signed and request.shape == "anthropic":
        yield from _unsigned(request, say)


def _alone(request: Request, say: Any) -> Iterator[Finding]:
    """A thought must be followed by the message or the call that it led to."""
    turns = request.turns
    for turn, after in zip(turns, (*turns[1:], None), strict=True):
        if turn.given.get("type") == "reasoning" and (after is None or after.role != "assistant"):
            yield say("reasoning-alone", turn.where, id=str(turn.given.get("id") or "?"))


def _unsigned(request: Request, say: Any) -> Iterator[Finding]:
    """Since the last words of the user the loop of tools is open: its thoughts go back as they came."""
    for turn in reversed(request.turns):
        if turn.role == "user" and not any(block.kind == "result" for block in turn.blocks):
            return
        for at, part in enumerate(sequence(turn.given.get("content"))):
            if mapping(part).get("type") == "thinking" and not mapping(part).get("signature"):
                yield say("thinking-unsigned", f"{turn.where}/content/{at}")
