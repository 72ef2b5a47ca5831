"""A model too small to end by itself what it says, and to look before it answers: it is held to both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.model.endpoint import Endpoint
from ctxcore.model.replies import Reply

FIRST_ANSWER = 4  # the step from which on it may answer: left to itself it does so at once
ROOM = {"thought": 160, "sub_task": 60, "action_input": 80}  # characters


@dataclass
class Small:
    """A small model on this machine, held to short fields and to a few calls before its answer. A ChatModel."""

    endpoint: Endpoint
    asked: int = 0

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def fingerprint(self) -> str:
        return self.endpoint.fingerprint

    def reply(
        self, messages: Sequence[Mapping[str, Any]], *, schema: Mapping[str, Any] | None = None, **how: Any
    ) -> Reply:
        self.asked += 1
        return self.endpoint.reply(messages, schema=self._held(schema) if schema else None, **how)

    def _held(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        fields = {name: dict(about) for name, about in schema["properties"].items()}
        for name, characters in ROOM.items():
            fields[name]["maxLength"] = characters
        if self.asked < FIRST_ANSWER:
            fields["action"]["enum"] = [name for name in fields["action"]["enum"] if name != "finish"]
        return {**schema, "properties": fields}


def is_small(endpoint: Endpoint) -> bool:
    """A server on this machine: it may know no native calls, but it can hold a reply to a schema."""
    return endpoint.host.partition(":")[0] == "127.0.0.1"
