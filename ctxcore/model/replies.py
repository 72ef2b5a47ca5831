"""What a model answers, how asking it fails, and what it must be able to do to be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ctxcore.errors import CtxError
from ctxcore.item import Call

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

REMEDIES: dict[Kind, str] = {
    "timeout": "Try again, allow more time, or send less.",
    "rate": "Wait, then try again; or raise the quota of the account.",
    "server": "The fault is the server's: try again later.",
    "connection": "Check the address (OPENAI_BASE_URL), and that the server runs.",
    "refused": "Check the name of the model (CTXCORE_MODEL) and what was sent.",
    "empty": "Try again, or allow a longer reply.",
    "malformed": "Check that the address (OPENAI_BASE_URL) is that of an OpenAI-compatible API; it often ends in /v1.",
    "too-long": "Make the context smaller, or choose a model with a larger window.",
    "key": "Check the key (OPENAI_API_KEY).",
    "stopped": "Ask again when you like.",
    "forbidden": "Name another endpoint, or ask who runs this server to allow it (CTXCORE_ENDPOINTS).",
}


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
    """No usable reply. One line: which endpoint, what happened, what to do. Never holds the key."""

    def __init__(self, kind: Kind, says: str, host: str = "") -> None:
        super().__init__(kind, says)
        self.kind, self.says, self.host = kind, says, host
        self.wait: float | None = None  # seconds that the endpoint asks for before the next try
        self.final = False  # trying again cannot help
        self.partial = ""  # text that was shown before it failed
        self.facts: dict[
            str, int
        ] = {}  # tokens, where told: prompt and window if too-long; prompt and completion if empty

    def __str__(self) -> str:
        return f"{self.host or 'The model'}: {self.says}. {REMEDIES[self.kind]}"


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
