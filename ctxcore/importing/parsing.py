"""Text to JSON values: one value, or one a line; by structure, never by the file's name alone."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from ctxcore.errors import InputError
from ctxcore.words import Phrase

# A brace or bracket may open a Markdown link or a template: JSON goes on with a name, a text or another bracket.
LIKE_JSON = re.compile(r"""\s*(\{\s*(["'}]|$)|\[\s*([{"\]]|\[\s*[\["{]|$))""")
NAMELESS = re.compile(r"\s*\{(?![{%])")  # pasted or piped: a brace is JSON, unless it opens a template
SUFFIXES = (".json", ".jsonl", ".ndjson", ".traj")
LONGEST_INT = 4_300  # digits: Python reads no longer ones


@dataclass(frozen=True, slots=True)
class Parsed:
    values: tuple[Any, ...]
    lines: tuple[int, ...]  # the line of each value, counted from 1; () where the text is one value
    warnings: tuple[str, ...] = ()


def parsed(text: str, name: str) -> Parsed | None:
    """None for what does not look like JSON. Raises InputError with line and column for broken JSON."""
    nameless = name in ("", "-") and bool(NAMELESS.match(text))
    if not LIKE_JSON.match(text) and not nameless and not name.lower().endswith(SUFFIXES):
        return None
    try:
        return Parsed((_value(text),), ())
    except json.JSONDecodeError as error:
        by_line = _by_line(text)
        if by_line is None:
            raise _complaint(text, name or Phrase("the-text"), error) from None
        return by_line


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError("json-deep") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of thousands of digits; NaN is what the copy repairs and warns of
        return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= LONGEST_INT else math.nan)


def _by_line(text: str) -> Parsed | None:
    """One value a line, or None where lines are no values. Only "\\n" ends a line: texts may hold other separators."""
    rows = [(number, row) for number, row in enumerate(text.split("\n"), start=1) if row and not row.isspace()]
    values, lines, warnings = list[Any](), list[int](), list[str]()
    for number, row in rows:
        problem = ""
        try:
            value = _value(row)
        except json.JSONDecodeError as error:
            problem = f"not JSON at column {error.colno} ({error.msg})"
        if not problem and isinstance(value, dict | list):
            values.append(value)
            lines.append(number)
        else:
            is_cut = problem and number == rows[-1][0]
            warnings.append(
                f"line {number}: skipped, {problem or 'no object'}{': the file is cut off there' * bool(is_cut)}."
            )
    first_reads = bool(lines) and lines[0] == rows[0][0]
    if len(rows) < 2 or not (first_reads or len(values) * 2 > len(rows)):
        return None
    if warnings:
        warnings.append(f"lines: {len(rows)} read, {len(values)} kept, {len(rows) - len(values)} skipped.")
    return Parsed(tuple(values), tuple(lines), tuple(warnings))


def _complaint(text: str, name: str, error: json.JSONDecodeError) -> InputError:
    place = {"name": name, "line": error.lineno, "column": error.colno, "says": error.msg}
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return InputError("json-cut", **place)
    if re.match(r"\s*[\[{]+\s*'", text):
        return InputError("json-python", **place)
    return InputError("json-wrong", **place)
