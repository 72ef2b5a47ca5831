"""Small questions about JSON values, as the tests of formats ask them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

LOOKED_AT = 50  # items of a list, to see what it is a list of


def has(value: Any, *names: str) -> bool:
    """Whether it is an object with all these fields."""
    return isinstance(value, Mapping) and all(name in value for name in names)


def kind(value: Any) -> str:
    """The `type` of an object; "" where it has none."""
    return text(value.get("type")) if isinstance(value, Mapping) else ""


def head(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def objects(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list, as far as one looks to know what it is."""
    return [one for one in value[:LOOKED_AT] if isinstance(one, Mapping)] if isinstance(value, list) else []


def text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def part_types(message: Any) -> set[str]:
    """The types of the blocks in a message's content."""
    return {kind(part) for part in listed(mapping(message).get("content"))} - {""}


def unpacked(value: Any) -> Any:
    """The value of a text that is JSON; any other value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
