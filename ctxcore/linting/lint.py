"""What a provider would refuse, or read otherwise than meant, in a list of messages and tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.plain import kind_of
from ctxcore.linting.finding import Finding, finding
from ctxcore.linting.judge import judge
from ctxcore.linting.policies import PROVIDERS
from ctxcore.linting.shape import check_message
from ctxcore.linting.tools import check_tools
from ctxcore.wire import read_request, shape_of


def lint(messages: Any, tools: Any = (), provider: str = "openai") -> tuple[Finding, ...]:
    """Findings in the order of the messages, those of the tools last. Takes anything; linear in what it is given.

    `messages` and `tools` have OpenAI's chat shape. Without an error, the request has the shape that its API takes; for
    another provider, also that nothing in it is refused once it is written in that provider's shape. What it means is
    not judged.
    """
    _check(provider)
    of_tools = () if tools is None else check_tools(tools, provider)
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        return (finding("messages-malformed", "/messages", provider, found=kind_of(messages)), *of_tools)
    if not messages:
        return (finding("messages-empty", "/messages", provider), *of_tools)
    shapes = (one for at, message in enumerate(messages) for one in check_message(message, f"/messages/{at}", provider))
    read = read_request({"messages": messages}, "openai")
    return (*sorted((*shapes, *judge(read, provider)), key=_position), *of_tools)


def lint_request(request: Mapping[str, Any], provider: str | None = None, shape: str = "") -> tuple[Finding, ...]:
    """The same of a whole request in any provider's shape; without `provider` it is that of the shape."""
    shape = shape or shape_of(request)
    if shape == "openai":
        return lint(request.get("messages"), request.get("tools"), provider or "openai")
    provider = provider or shape
    _check(provider)
    read = read_request(request, shape)
    of_tools = check_tools(list(read.tools), provider, hosted=True)
    if not read.turns:
        return (finding("messages-empty", "/input" if shape == "openai-responses" else "/", provider), *of_tools)
    return (*sorted(judge(read, provider), key=_position), *of_tools)


def report(findings: Iterable[Finding]) -> dict[str, Any]:
    """As `ctxcore lint --json` prints them."""
    return {"problems": [found.to_json() for found in findings]}


def _check(provider: str) -> None:
    if provider not in PROVIDERS:
        raise InputError("no-lint", name=provider, there=list(PROVIDERS))


def _position(found: Finding) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", found.where))
