"""One side of an evaluation: the payload that a question gets under its settings, and whether it can be sent at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.build import build
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.settings import Settings
from ctxcore.trace import Trace


@dataclass(frozen=True, slots=True)
class Arm:
    name: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Prompt:
    """`overflowed`: everything would not have fitted; without management the oldest messages were then left out.
    `fits`: it can be sent; a provider would refuse one that does not, which counts as a wrong answer."""

    trace: Trace
    overflowed: bool
    fits: bool

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.trace.messages

    @property
    def tokens(self) -> int:
        return self.trace.totals.total

    def key(self, model: str, max_tokens: int) -> str:
        """Of an answer in a store: the same for the same request to the same model."""
        asked = {"model": model, "messages": self.messages, "tools": self.trace.tools, "max_tokens": max_tokens}
        text = json.dumps(asked, ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def prompt(arm: Arm, scenario: Scenario, ask: str, services: Services | None = None) -> Prompt:
    sources = scenario.with_query(ask)
    trace = build(sources, arm.settings, services=services)
    overflowed = not trace.fits
    if overflowed and trace.system.name == "raw":
        trace = _oldest_left_out(arm, sources, services)
    return Prompt(trace, overflowed, trace.fits)


def _oldest_left_out(arm: Arm, scenario: Scenario, services: Services | None) -> Trace:
    """The fewest of the oldest messages left out with which the rest fits: what a plain client does."""
    lead = [m for m in scenario.messages if m.get("role") in ("system", "developer")]
    talk = [m for m in scenario.messages if m.get("role") not in ("system", "developer")]
    starts = [at for at, message in enumerate(talk) if message.get("role") not in ("tool", "function")]

    def at(start: int) -> Trace:
        return build(_from(scenario, lead, talk[starts[start] :]), arm.settings, services=services)

    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle).fits else (middle + 1, high)
    return at(low)


def _from(scenario: Scenario, lead: Sequence[Mapping[str, Any]], talk: Sequence[Mapping[str, Any]]) -> Scenario:
    return scenario.edited(messages=(*lead, *talk))
