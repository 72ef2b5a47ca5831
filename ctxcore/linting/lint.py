"""What a provider would refuse, or read otherwise than meant, in a list of messages and tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.plain import kind_of
from ctxcore.linting.finding import Finding, finding
from ctxcore.linting.pairs import Pairs
from ctxcore.linting.shape import check_message
from ctxcore.linting.tools import check_tools

PROVIDERS = ("openai",)


def lint(messages: Any, tools: Any = (), provider: str = "openai") -> tuple[Finding, ...]:
    """Findings in the order of the messages, those of the tools last. Takes anything; linear in what it is given.

    Without an error, the request has the shape that OpenAI's chat API takes: what it means is not judged.
    """
    if provider not in PROVIDERS:
        raise InputError(f"There are no lint rules for {provider!r}: choose one of {', '.join(PROVIDERS)}.")
    of_tools = () if tools is None else check_tools(tools)
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        return (finding("messages-malformed", "/messages", found=kind_of(messages)), *of_tools)
    if not messages:
        return (finding("messages-empty", "/messages"), *of_tools)
    return (*sorted(_of_messages(messages), key=_position), *of_tools)


def report(findings: Iterable[Finding]) -> dict[str, Any]:
    """As `ctxcore lint --json` prints them."""
    return {"problems": [found.to_json() for found in findings]}


def _of_messages(messages: Sequence[Any]) -> Iterator[Finding]:
    pairs, before = Pairs(), None
    is_first = True  # of those that are no system messages
    for index, message in enumerate(messages):
        where = f"/messages/{index}"
        yield from check_message(message, where)
        if not isinstance(message, Mapping):
            before = None
            continue
        role = message.get("role")
        yield from pairs.read(index, message)
        if role == before and role in ("user", "assistant"):
            yield finding("same-role-twice", where, role=role)
        if is_first and role == "assistant":
            yield finding("starts-with-assistant", where)
        is_first = is_first and role in ("system", "developer")
        before = role
    yield from pairs.rest()


def _position(found: Finding) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", found.where))
