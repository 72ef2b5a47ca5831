"""Tool definitions, as OpenAI's chat API takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.plain import kind_of
from ctxcore.linting.finding import Finding, finding
from ctxcore.linting.pairs import Say
from ctxcore.linting.policies import POLICIES, Policy
from ctxcore.words import Phrase

KINDS = ("function", "custom")


def check_tools(tools: Any, provider: str = "openai", *, hosted: bool = False) -> list[Finding]:
    """`hosted`: tools that the provider runs itself may stand among them; they have a type of their own."""
    say = partial(_said, provider)
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Sequence):
        return [say("tools-malformed", "/tools", found=kind_of(tools))]
    return list(_check_each(tools, POLICIES[provider], say, hosted=hosted))


def _said(provider: str, rule: str, where: str, **facts: Any) -> Finding:
    return finding(rule, where, provider, **facts)


def _check_each(tools: Sequence[Any], policy: Policy, say: Say, *, hosted: bool) -> Iterator[Finding]:
    if policy.most_tools is not None and len(tools) > policy.most_tools:
        yield say("too-many-tools", "/tools", count=len(tools), most=policy.most_tools)
    first: dict[str, str] = {}  # where each name stands first
    for index, tool in enumerate(tools):
        where = f"/tools/{index}"
        kind = tool.get("type") if isinstance(tool, Mapping) else None
        if kind in KINDS:
            yield from _check_definition(tool.get(kind), where, first, policy, say)
        elif not (hosted and isinstance(tool, Mapping)):
            yield say("tool-malformed", where, missing=Phrase("missing-type"))


def _check_definition(inner: Any, where: str, first: dict[str, str], policy: Policy, say: Say) -> Iterator[Finding]:
    name = inner.get("name") if isinstance(inner, Mapping) else None
    if not isinstance(name, str) or not name:
        yield say("tool-malformed", where, missing=Phrase("missing-name", name="name"))
        return
    if name in first:
        yield say("tool-name-twice", where, name=name, first=first[name])
    elif policy.tool_name and not policy.tool_name.fullmatch(name):
        yield say("tool-name-invalid", where, name=name, wanted=policy.tool_name.pattern)
    first.setdefault(name, where)
    if not isinstance(inner.get("parameters", {}), Mapping):
        yield say("tool-malformed", where, missing=Phrase("as-object", name="parameters"))
    if not isinstance(inner.get("description", ""), str):
        yield say("tool-malformed", where, missing=Phrase("missing-text", name="description"))
    if not isinstance(inner.get("strict"), bool | None):
        yield say("tool-malformed", where, missing=Phrase("missing-strict"))
