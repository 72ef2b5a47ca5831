"""The goal of a task that is under way, and what its state says is done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.item import Source
from ctxcore.trace import Trace

WORDS = 60  # characters by which a goal is known again


@dataclass(frozen=True, slots=True)
class Goal:
    text: str  # in one line
    item: str  # that says so

    @property
    def words(self) -> str:
        """Its beginning: what must stand in the payload."""
        return self.text[:WORDS].rstrip()

    @property
    def shown(self) -> str:
        return self.words + "…" if len(self.text) > WORDS else self.text


def goal_of(trace: Trace) -> Goal | None:
    """What an agent works at: the user's last words, if it has been at work since. None while the user waits for a
    first reply: then the question itself is the goal, and it stands at the end."""
    asked = next((item for item in trace.inputs if item.source is Source.USER and not item.is_media), None)
    roles = [str(message.get("role")) for message in trace.scenario.messages]
    if asked is None or not roles or roles[-1] == "user":
        return None
    given = state_of(trace).get("goal")
    state = next((item.id for item in trace.inputs if item.source is Source.STATE), "")
    return Goal(" ".join(str(given).split()), state) if given else Goal(" ".join(asked.text.split()), asked.id)


def state_of(trace: Trace) -> Mapping[str, Any]:
    """The scenario's state, where it is an object."""
    try:
        value = json.loads(trace.scenario.state.text) if trace.scenario.state else {}
    except ValueError:
        return {}
    return value if isinstance(value, Mapping) else {}
