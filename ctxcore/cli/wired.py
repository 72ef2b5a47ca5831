"""`count` and `lint` of a request as it stands, in its own provider's shape; what is no such request goes by import."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ctxcore.build import build
from ctxcore.importing import load, loads
from ctxcore.scenario import Scenario
from ctxcore.wire import shape_of


def request_of(args: argparse.Namespace) -> tuple[Mapping[str, Any], str]:
    """The request and its shape. Requests of other shapes than OpenAI's chat are taken as they stand."""
    piped = sys.stdin.buffer.read() if args.file == "-" and sys.stdin is not None else None
    data = piped if piped is not None else _bytes(args.file)
    value = _json(data)
    if isinstance(value, Mapping) and (shape := shape_of(value)) != "openai":
        return value, shape
    scenario = load(args.file, conversation=args.conversation) if piped is None else _piped(piped, args)
    return request_in(scenario), "openai"


def request_in(scenario: Scenario) -> dict[str, Any]:
    """Messages and tools of a scenario; sources that are no messages are written as `raw` writes them."""
    named = {"model": model} if (model := scenario.settings.get("model")) else {}
    if not any(True for _ in scenario.records()):
        return {**named, **scenario.extra, "messages": list(scenario.messages), "tools": list(scenario.tools)}
    trace = build(scenario, system="raw", window=1 << 40, reserve=0)
    form = {"response_format": asked} if (asked := scenario.response_format) else {}
    return {"messages": trace.messages, "tools": trace.tools, **form, **named}


def _piped(data: bytes, args: argparse.Namespace) -> Scenario:
    return loads(data, name="stdin", conversation=args.conversation)


def _bytes(source: str) -> bytes:
    try:
        return Path(source).read_bytes()
    except (OSError, ValueError):
        return b""  # importing says what is wrong


def _json(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
