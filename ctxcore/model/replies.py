"""What a model answers, how asking it fails, and what it must be able to do to be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ctxcore.errors import CtxError
from ctxcore.item import Call
from ctxcore.words import Phrase

Kind = Literal[
    "timeout",
    "rate",
    "server",
    "connection",
    "refused",
    "empty",
    "malformed",
    "too-long",
    "key",
    "stopped",
    "forbidden",
]
OnText = Callable[[str], object]  # takes each new piece of a reply's text
Stop = Callable[[], bool]  # whether to wait no longer


@dataclass(frozen=True, slots=True)
class Reply:
    """Counts are those of the endpoint's own bill, None where it sent none."""

    text: str
    calls: tuple[Call, ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None  # of the prompt's: already known to the server
    seconds: float = 0.0  # of the attempt that succeeded
    finish: str = "stop"  # as the endpoint says: stop, length, tool_calls …; stopped where `stop` ended it
    model: str = ""  # as the endpoint says
    attempts: int = 1


class ModelError(CtxError):
    """No usable reply. One line: which endpoint, what happened (the code's words), what to do (the kind's). Never holds
    the key."""

    def __init__(self, kind: Kind, code: str, /, host: str = "", **facts: Any) -> None:
        super().__init__(code, **facts)
        self.kind, self.host = kind, host
        self.wait: float | None = None  # seconds that the endpoint asks for before the next try
        self.final = False  # trying again cannot help
        self.partial = ""  # text that was shown before it failed
        self.counts: dict[str, int] = {}  # where told: prompt and window if too-long; prompt and completion if empty

    @property
    def says(self) -> Phrase:
        return Phrase(self.code, **self.facts)

    @property
    def told(self) -> Phrase:
        who, remedy = self.host or Phrase("the-model"), Phrase(f"remedy-{self.kind}")
        return Phrase("model-error", who=who, says=self.says, remedy=remedy)


class ChatModel(Protocol):
    """Anything that can be asked."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """Part of every cache key; the same for two that answer alike."""
        ...

    def reply(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        max_tokens: int | None = None,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
        on_text: OnText | None = None,
        stop: Stop | None = None,
    ) -> Reply:
        """Raises ModelError. `schema`: the JSON schema that the reply must follow.

        With `on_text` the reply is streamed: each new piece of text goes there. Once `stop()` is true the rest is not
        waited for: what has come is returned, with finish = stopped.
        """
        ...
