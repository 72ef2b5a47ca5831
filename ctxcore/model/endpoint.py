"""Any OpenAI-compatible endpoint as a ChatModel: what is sent, what is tried again, and where endpoints are found."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import SplitResult, urlsplit

from ctxcore.counting.models import model as find_model
from ctxcore.errors import InputError
from ctxcore.model.draft import Draft
from ctxcore.model.pump import Stopped, pumped
from ctxcore.model.reach import ANYWHERE, Reach
from ctxcore.model.replies import ModelError, OnText, Reply, Stop
from ctxcore.model.retrying import Retrying
from ctxcore.model.transport import Exchange, Transport

OPENAI = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4o-mini"
LOCAL_PORT = 18080  # of `make model`
# Parameters that not every endpoint takes, and what they are called elsewhere.
OPTIONAL = {"stream_options": "", "temperature": "", "max_tokens": "max_completion_tokens"}


@dataclass(frozen=True, eq=False)
class Endpoint:
    """`timeout`: seconds for a whole reply; for a streamed one, of silence. `retries`: attempts after the first.

    Tried again: time-outs, 429, 5xx, lost connections; once: empty and malformed replies. Never once text was shown.
    """

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    retries: int = 2
    reach: Reach = ANYWHERE  # which machines it may lie on
    sleep: Callable[[float], object] = field(default=time.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    _refused: set[str] = field(default_factory=set, init=False, repr=False)  # of OPTIONAL

    def __post_init__(self) -> None:
        try:
            sound = self._url.scheme in ("http", "https") and self._url.hostname and self._url.port != 0
        except ValueError:
            sound = False
        if not sound:
            raise InputError("endpoint-no-url")
        if find_model(self.model).chat == "gpt-5":  # reasoning models
            self._refused.update(("temperature", "max_tokens"))

    @property
    def name(self) -> str:
        return self.model

    @cached_property
    def _url(self) -> SplitResult:
        return urlsplit(self.base_url or OPENAI)

    @property
    def host(self) -> str:
        return self._url.netloc.rpartition("@")[2]

    @property
    def fingerprint(self) -> str:
        return f"{self.model}@{self.host}{self._url.path.rstrip('/')}"

    @cached_property
    def transport(self) -> Transport:
        return Transport(self._url.geturl(), self.api_key, self.timeout, self.reach)

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
        asked = {
            "model": self.model,
            "messages": list(messages),
            "tools": list(tools) or None,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "response_format": _format(schema) if schema else None,
            "stream": True if on_text else None,
            "stream_options": {"include_usage": True} if on_text else None,
        }
        attempt = 1
        while True:
            try:
                return self._attempt(self._adapted(asked), attempt, on_text, stop)
            except ModelError as error:
                if not self._learns(error, asked):
                    Retrying(self.retries, self.sleep).wait(error, attempt, stop)
                    attempt += 1

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON that a route of the server itself answers, one above /v1. Not tried again. Raises ModelError."""
        url = self._url.geturl().rstrip("/").removesuffix("/v1") + path
        try:
            return self.transport.post(url, body)
        except ModelError as error:
            error.host = self.host
            raise

    def _attempt(self, asked: Mapping[str, Any], attempt: int, on_text: OnText | None, stop: Stop | None) -> Reply:
        draft, began = Draft(), self.clock()
        try:
            stopped = self._hear(draft, asked, on_text, stop)
            return draft.reply(self.model, self.clock() - began, attempt, stopped)
        except ModelError as error:
            error.host, error.partial = self.host, draft.text if on_text else ""
            raise

    def _hear(self, draft: Draft, asked: Mapping[str, Any], on_text: OnText | None, stop: Stop | None) -> bool:
        """Whether it was stopped."""
        with closing(pumped(Exchange(self.transport, asked), self.timeout, stop)) as heard:
            try:
                for event in heard:
                    text = draft.take(event)
                    if text and on_text:
                        on_text(text)
            except Stopped:
                return True
        return False

    def _adapted(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Without what is not set, and without what this endpoint has refused."""
        names = {name: OPTIONAL[name] if name in self._refused else name for name in asked if name in OPTIONAL}
        renamed = {names.get(name, name): value for name, value in asked.items()}
        return {name: value for name, value in renamed.items() if name and value is not None}

    def _learns(self, error: ModelError, asked: Mapping[str, Any]) -> bool:
        """Whether the endpoint refused a parameter that can be left out or be called otherwise."""
        sent = (name for name in OPTIONAL if asked[name] is not None and name not in self._refused)
        refused = next((name for name in sent if name in error.says), None) if error.kind == "refused" else None
        self._refused.update([refused] if refused else [])
        return refused is not None


def endpoint_from_env(environ: Mapping[str, str] = os.environ, *, small: bool = False) -> Endpoint | None:
    """What OPENAI_API_KEY, OPENAI_BASE_URL and CTXCORE_MODEL name; None without a key and an address.

    `small`: the model for summaries, CTXCORE_SMALL_MODEL, where one is named.
    """
    key, address, model, small_model = (
        environ.get(name, "").strip()
        for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CTXCORE_MODEL", "CTXCORE_SMALL_MODEL")
    )
    if not key and not address:
        return None
    return Endpoint((small and small_model) or model or DEFAULT_MODEL, address or None, key or None)


def local_endpoint(port: int = LOCAL_PORT) -> Endpoint | None:
    """The server of `make model` on this machine, if it answers within 0.3 seconds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=0.15)
    try:
        found = [_get(connection, path) for path in ("/health", "/v1/models")]
        model = str(found[1]["data"][0]["id"])
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        return None
    finally:
        connection.close()
    return Endpoint(model, f"http://127.0.0.1:{port}/v1", timeout=240.0)  # two cores read 8,000 tokens in a minute


def _get(connection: http.client.HTTPConnection, path: str) -> Any:
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read(1_000_000)
    return json.loads(content) if answer.status == 200 else None


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}
