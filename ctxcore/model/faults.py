"""From what the client raises to a ModelError that says what happened. No text of the client's own is passed on."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from ctxcore.model.replies import Kind, ModelError

_SHOWN = 200  # characters of what the endpoint says
_TOO_LONG = re.compile(r"context[ _](?:length|window|size)|maximum context|prompt is too long|exceed_context", re.I)
_PROMPT = re.compile(
    r"resulted in (\d+)|\((\d+) in the messages|requested (\d+)|too long: (\d+)|request \((\d+) tok", re.I
)
_WINDOW = re.compile(r"context length is (\d+)|> (\d+) maximum|context size \((\d+)", re.I)
_CUT = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)


def model_error(cause: Exception, key: str | None, timeout: float) -> ModelError:
    """Raises `cause` itself where it is no failure of the call."""
    from openai import APIStatusError

    if isinstance(cause, APIStatusError):
        return _status(cause, key)
    if own := next((one for one in _chain(cause) if isinstance(one, ModelError)), None):
        return own  # said by us before anything was sent
    names = {kind.__name__ for kind in type(cause).__mro__}  # by name: the client's transport is httpx or its successor
    if names & {"APITimeoutError", "TimeoutException"}:
        return ModelError("timeout", "model-late", seconds=timeout)
    if "DecodingError" in names:
        return ModelError("malformed", "model-compression")
    if names & {"APIConnectionError", "RequestError", "TransportError", "OSError"}:
        return _unreached(cause)
    raise cause


def _unreached(cause: Exception) -> ModelError:
    chain = list(_chain(cause))
    for one in chain:
        match one:
            case socket.gaierror():
                return ModelError("connection", "model-no-name")
            case ssl.SSLError():
                return ModelError("connection", "model-no-tls")
            case ConnectionRefusedError():
                return ModelError("connection", "model-nobody")
    if any(isinstance(one, _CUT) or type(one).__name__ in ("RemoteProtocolError", "ReadError") for one in chain):
        return ModelError("connection", "model-cut")
    return ModelError("connection", "model-no-connection", cause=type(chain[-1]).__name__)


def _chain(cause: BaseException | None) -> Iterator[BaseException]:
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _status(cause: Any, key: str | None) -> ModelError:
    code, body = int(cause.status_code), cause.body
    fault = body if isinstance(body, Mapping) else {}
    said = str(fault.get("message") or fault.get("detail") or "")
    kind = _kind(code, f"{said} {fault.get('code')} {fault.get('type')}")
    error = ModelError(kind, "model-status", status=code)
    if said and kind != "key":  # there an endpoint may quote what it was sent
        said = " ".join((said.replace(key, "[key]") if key else said).split())
        error = ModelError(kind, "model-status-says", status=code, says=said[:_SHOWN].rstrip(". "))
    error.wait, error.counts = _retry_after(cause.response.headers), _counts(fault, said)
    error.final = fault.get("code") == "insufficient_quota" or kind in ("refused", "key", "too-long")
    return error


def _kind(code: int, said: str) -> Kind:
    if code in (401, 403):
        return "key"
    if code == 429:
        return "rate"
    if code == 408:
        return "timeout"
    if code in (400, 413, 422) and _TOO_LONG.search(said):
        return "too-long"
    return "server" if code >= 500 else "refused"


def _counts(fault: Mapping[str, Any], said: str) -> dict[str, int]:
    """Tokens of the prompt and of the window: llama.cpp has fields for them, others say them in the text."""
    found = {}
    for name, field, pattern in (("prompt", "n_prompt_tokens", _PROMPT), ("window", "n_ctx", _WINDOW)):
        if isinstance(fault.get(field), int):
            found[name] = fault[field]
        elif match := pattern.search(said):
            found[name] = int(next(filter(None, match.groups())))
    return found


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from `retry-after-ms` or from `retry-after` as a number or a date; None where neither can be read."""
    try:
        if exact := headers.get("retry-after-ms"):
            return max(0.0, float(exact) / 1000)
        asked = headers.get("retry-after")
        if not asked:
            return None
        if asked.strip()[:1].isdigit():
            return float(asked)
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
