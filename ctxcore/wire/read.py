"""Which provider's shape a request has, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ctxcore.wire.anthropic import read_anthropic
from ctxcore.wire.blocks import Request, mapping, sequence
from ctxcore.wire.chat import read_chat
from ctxcore.wire.gemini import read_gemini
from ctxcore.wire.responses import read_responses

READERS: Mapping[str, Callable[[Mapping[str, Any]], Request]] = {
    "openai": read_chat,
    "openai-responses": read_responses,
    "anthropic": read_anthropic,
    "gemini": read_gemini,
}
SHAPES = tuple(READERS)
_OURS = frozenset(("schema", "settings", "documents", "docs", "notes", "memory", "profile", "state", "tool_results"))
_OTHERS = frozenset(("history", "role", "output", "observations", "trace"))  # of logs that hold an input as well
_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking", "document", "compaction")


def read_request(request: Mapping[str, Any], shape: str = "") -> Request:
    """Never raises, whatever it is given. Without `shape` the structure decides."""
    return READERS[shape or shape_of(request)](request)


def shape_of(request: Mapping[str, Any]) -> str:
    """By structure, not by the model's name; a request that could be several is OpenAI's chat shape."""
    if _OURS & request.keys():
        return "openai"
    if "contents" in request or "contents" in mapping(request.get("request")):
        return "gemini"
    if "messages" not in request:
        is_asked = isinstance(request.get("input"), str | list) and not _OTHERS & request.keys()
        return "openai-responses" if is_asked else "openai"
    return "anthropic" if _is_anthropic(request) else "openai"


def _is_anthropic(request: Mapping[str, Any]) -> bool:
    if isinstance(request.get("system"), str | list) or any(
        "input_schema" in mapping(tool) for tool in sequence(request.get("tools"))
    ):
        return True
    for message in sequence(request.get("messages")):
        for part in sequence(mapping(message).get("content")):
            if mapping(part).get("type") in _ANTHROPIC_BLOCKS or "source" in mapping(part):
                return True
    return str(request.get("model") or "").startswith("claude") and "max_tokens" in request
