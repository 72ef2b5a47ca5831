"""JSON read and written without changing a digit: 1.10 stays 1.10, and an object with a key twice is no JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ctxcore.memo import Memo

LONGEST = 1_000_000  # characters; longer texts are left as they are
FEWEST_LINES = 3  # of JSON Lines

_read: Memo[str, list[Any]] = Memo(16_000_000)


class Num(str):
    """A number as it was typed: 1.10 is not 1.1 to somebody who looks for it."""

    __slots__ = ()


def json_value(text: str) -> Any:
    """The object or list that `text` is, or the list of objects that its lines are; None where it is none.

    Remembered by content; not to be changed.
    """
    if text[:64].lstrip()[:1] not in ("{", "[") or len(text) > LONGEST:
        return None
    found = _read.young.get(text) or _read.get(text, len(text))
    if found is None:
        _read.put(text, found := [_parsed(text)], len(text))
    return found[0]


def dump(value: Any) -> str:
    """Minified; characters beyond ASCII as they are."""
    if isinstance(value, Num):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_said(key)}:{dump(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return _said(value)


def _said(value: Any) -> str:
    said = json.dumps(value, ensure_ascii=False)
    try:
        said.encode()
    except UnicodeEncodeError:  # half of a pair: no tokenizer takes it
        return json.dumps(value)
    return said


def _parsed(text: str) -> Any:
    try:
        value = _loads(text)
    except (ValueError, RecursionError):
        return _parsed_lines(text)
    return value if isinstance(value, dict | list) and _is_flat(value) else None


def _parsed_lines(text: str) -> list[Any] | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < FEWEST_LINES or not all(line.lstrip()[:1] == "{" for line in lines):
        return None
    try:
        found = [_loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None
    return found if _is_flat(found) else None


def _loads(text: str) -> Any:
    return json.loads(text, parse_float=Num, parse_int=Num, parse_constant=_refuse, object_pairs_hook=_object)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _is_flat(value: Any, depth: int = 0) -> bool:
    """Whether it is nested so little that one may walk it."""
    if depth > 60:
        return False
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(_is_flat(one, depth + 1) for one in inner)
