"""Conditions under which a stage runs, such as `tokens > 4000`, `doc > 25%` or `items >= 50`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from ctxcore.errors import InputError
from ctxcore.item import Source
from ctxcore.payload import Payload

NEVER = "never"  # as a condition: the stage is switched off
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
}
_SHAPE = re.compile(r"\s*([a-z]+)\s*(>=|<=|>|<|=)\s*([0-9][0-9_]{0,17})(%?)\s*", re.ASCII)


def holds(text: str, payload: Payload) -> bool:
    """Whether the payload meets the condition; % is of the window. Raises InputError that shows what can be said."""
    if text.strip() == NEVER:
        return False
    name, compare, number, percent = check(text)
    wanted = int(number.replace("_", ""))
    if percent:
        return _COMPARE[compare](100 * _value(name, payload), wanted * payload.budget.window)
    return _COMPARE[compare](_value(name, payload), wanted)


def check(text: str) -> tuple[str, str, str, str]:
    """Name, comparison, number and % of a condition. Raises InputError that shows what can be said."""
    match = _SHAPE.fullmatch(text)
    names = ("tokens", "items", *Source)
    if text.strip() == NEVER:
        return NEVER, "", "", ""
    if not match or match[1] not in names:
        raise InputError("condition-shape", text=text, never=NEVER, names=names)
    return match[1], match[2], match[3], match[4]


def _value(name: str, payload: Payload) -> int:
    if name == "items":
        return len(payload.items)
    return sum(item.tokens for item in payload.items if name == "tokens" or item.source == name)
