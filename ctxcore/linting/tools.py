"""Tool definitions, as OpenAI's chat API takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ctxcore.importing.plain import kind_of
from ctxcore.linting.finding import Finding, finding
from ctxcore.linting.shape import NAME

MOST_TOOLS = 128
KINDS = ("function", "custom")


def check_tools(tools: Any) -> Iterator[Finding]:
    if isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Sequence):
        yield finding("tools-malformed", "/tools", found=kind_of(tools))
        return
    if len(tools) > MOST_TOOLS:
        yield finding("too-many-tools", "/tools", count=len(tools), most=MOST_TOOLS)
    first: dict[str, str] = {}  # where each name stands first
    for index, tool in enumerate(tools):
        where = f"/tools/{index}"
        kind = tool.get("type") if isinstance(tool, Mapping) else None
        if not isinstance(tool, Mapping) or kind not in KINDS:
            yield finding("tool-malformed", where, missing="type, which is function or custom")
            continue
        yield from _check_definition(tool.get(kind), where, first)


def _check_definition(inner: Any, where: str, first: dict[str, str]) -> Iterator[Finding]:
    name = inner.get("name") if isinstance(inner, Mapping) else None
    if not isinstance(name, str) or not name:
        yield finding("tool-malformed", where, missing="name")
        return
    if name in first:
        yield finding("tool-name-twice", where, name=name, first=first[name])
    elif not NAME.fullmatch(name):
        yield finding("tool-name-invalid", where, name=name)
    first.setdefault(name, where)
    if not isinstance(inner.get("parameters", {}), Mapping):
        yield finding("tool-malformed", where, missing="parameters as an object")
    if not isinstance(inner.get("description", ""), str):
        yield finding("tool-malformed", where, missing="description as text")
    if not isinstance(inner.get("strict"), bool | None):
        yield finding("tool-malformed", where, missing="strict as true, false or null")
