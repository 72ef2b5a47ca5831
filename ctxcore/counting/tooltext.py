"""What tool definitions cost: OpenAI models read them as the TypeScript namespace that is rendered here.

The rendering was published by users of the API who compared it with their bills; the constants around it are fitted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ctxcore.counting.models import Model
from ctxcore.counting.rules import Rules
from ctxcore.counting.tokens import count_joined
from ctxcore.services import Counter

_HEAD, _TAIL = "namespace functions {\n\n", "} // namespace functions"
_OWN = ("function", "custom")  # kinds of tools that the caller runs
_DEEPEST = 12  # levels of a schema that are rendered; below, a type is `any`


@dataclass(frozen=True, slots=True)
class ToolRow:
    name: str
    tokens: int
    rule: str  # tool-definition | tool-json (not written as TypeScript: counted as the JSON that is sent)
    is_hosted: bool = False  # run by the provider: its own prompt and its results are not in the request


@dataclass(frozen=True, slots=True)
class ToolBill:
    rows: tuple[ToolRow, ...]  # one a tool, in order
    block: int  # tokens of the block around them; 0 where there is no tool

    @property
    def total(self) -> int:
        return self.block + sum(row.tokens for row in self.rows)


def tool_tokens(model: Model, tools: Sequence[Any], first_is_system: bool, counter: Counter) -> int:
    """Tokens of all tool definitions together. `first_is_system`: the first message is one that the block joins."""
    if isinstance(tools, tuple):  # a scenario's, which nobody changes: rendered once, and not with each build
        return _remembered(_Those(tools), model.rules, first_is_system, counter)  # type: ignore[arg-type]
    return tool_bill(model.rules, tools, first_is_system, counter).total


@dataclass(frozen=True, slots=True, eq=False)
class _Those:
    """The same tuple and no other: equal definitions would take as long to compare."""

    tools: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Those) and other.tools is self.tools

    def __hash__(self) -> int:
        return id(self.tools)


@lru_cache(maxsize=64)
def _remembered(those: _Those, rules: Rules, first_is_system: bool, counter: Counter) -> int:
    return tool_bill(rules, those.tools, first_is_system, counter).total


def tool_bill(rules: Rules, tools: Sequence[Any], first_is_system: bool, counter: Counter) -> ToolBill:
    """The same, tool by tool."""
    if not tools:
        return ToolBill((), 0)
    functions = [None if rules.tools == "json" else _function(tool) for tool in tools]
    declared = [_declared(function) for function in functions if function is not None]
    head, *inner, tail = count_joined(counter, [_HEAD, *declared, _TAIL]) if declared else (0, 0)
    rows: list[ToolRow] = []
    for tool, function in zip(tools, functions, strict=True):
        if function is None:
            own = _function(tool)
            cost = counter.count(_json(own or tool)) + rules.tool_each
            hosted = own is None and _mapping(tool).get("type") not in (None, *_OWN)
            rows.append(ToolRow(_name(tool), cost, "tool-json", hosted))
        else:
            rows.append(ToolRow(_name(tool), inner.pop(0) - _discount(rules, function), "tool-definition"))
    return ToolBill(tuple(rows), head + tail + (rules.tool_block_joined if first_is_system else rules.tool_block))


def _discount(rules: Rules, function: Mapping[str, Any]) -> int:
    """Bills of current models are one token lower for a function with parameters none of which is described.

    Those of the reasoning models are one lower again for a function without a description.
    """
    fields = _properties(_parameters(function)).values()
    is_bare = bool(fields) and not any(_mapping(field).get("description") for field in fields)
    return rules.tool_bare * is_bare + rules.tool_undescribed * (not function.get("description"))


def _function(tool: Any) -> Mapping[str, Any] | None:
    """The function definition in a tool, also where it stands bare (legacy `functions`); None for anything else."""
    inner = tool.get("function", tool) if isinstance(tool, Mapping) else None
    is_function = isinstance(inner, Mapping) and isinstance(inner.get("name"), str) and "input_schema" not in inner
    return inner if is_function and _mapping(tool).get("type", "function") == "function" else None


def _name(tool: Any) -> str:
    """The name of a tool of any kind, or its type."""
    outer = _mapping(tool)
    kind = outer.get("type")
    names = (outer.get("name"), *(_mapping(outer.get(key)).get("name") for key in ("function", "custom")), kind)
    return next((name for name in names if isinstance(name, str) and name), "tool")


def _declared(function: Mapping[str, Any]) -> str:
    name = function["name"]
    try:
        body = "\n".join(_fields(_parameters(function), 0))
    except RecursionError:  # hundreds of nested unions
        body = _json(_parameters(function))
    declared = f"type {name} = (_: {{\n{body}\n}}) => any;" if body else f"type {name} = () => any;"
    return "".join(f"{line}\n" for line in _comment(function)) + declared + "\n\n"


def _fields(schema: Mapping[str, Any], depth: int) -> list[str]:
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    lines: list[str] = []
    for name, field in _properties(schema).items():
        lines += _comment(field) if depth == 0 else []
        lines.append(f"{name}{'' if name in required else '?'}: {_type(_mapping(field), depth)},")
    return ["  " * depth + line for line in lines]


def _type(field: Mapping[str, Any], depth: int) -> str:
    if depth > _DEEPEST:
        return "any"
    kind, options = field.get("type"), field.get("anyOf") or field.get("oneOf")
    if isinstance(options, list):
        return " | ".join(_type(_mapping(option), depth) for option in options)
    if isinstance(kind, list):
        return " | ".join(_type({**field, "type": one}, depth) for one in kind)
    if isinstance(values := field.get("enum"), list):
        return " | ".join(_json(value) for value in values)
    if kind == "array":
        return f"{_type(_mapping(field['items']), depth)}[]" if "items" in field else "any[]"
    if kind == "object":
        inner = _fields(field, depth + 1)
        return "\n".join(["{", *inner, "}"])
    return {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}.get(
        str(kind), "any"
    )


def _comment(described: Any) -> list[str]:
    """A description, line by line; bills of tools with long ones fit only without indentation and blank lines."""
    text = _mapping(described).get("description")
    lines = text.split("\n") if isinstance(text, str) else []
    return [f"// {line.strip()}" for line in lines if line.strip()]


def _parameters(function: Mapping[str, Any]) -> Mapping[str, Any]:
    return _mapping(function.get("parameters"))


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return _mapping(schema.get("properties"))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except (TypeError, ValueError, RecursionError):
        return str(type(value))
