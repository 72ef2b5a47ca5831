"""Deep copies of JSON values, with what JSON or UTF-8 cannot carry repaired and counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ctxcore.errors import InputError
from ctxcore.words import Phrase

SURROGATE = re.compile("[\ud800-\udfff]")
LONGEST_INT = 14_000  # bits; Python refuses to print integers of more than 4,300 digits, and JSON readers to read them

LOST_TEXT = "lone surrogates became U+FFFD"
LOST_NUMBER = "numbers that JSON cannot carry (NaN, infinite, thousands of digits) became null"


KINDS = {
    dict: Phrase("kind-object"),
    list: Phrase("kind-list"),
    str: Phrase("kind-text"),
    bool: Phrase("kind-bool"),
    int: Phrase("kind-number"),
    float: Phrase("kind-number"),
}


def kind_of(value: Any) -> str:
    """What a JSON value is called in a message to the user."""
    return "null" if value is None else KINDS.get(type(value)) or Phrase("kind-other", name=type(value).__name__)


class Copier:
    """Copies values into plain dicts, lists and scalars. `repairs` counts what was changed since it was last taken."""

    def __init__(self) -> None:
        self.repairs: Counter[str] = Counter()

    def copy(self, value: Any) -> Any:
        """Raises InputError for what is no JSON value, and for nesting that Python cannot follow."""
        try:
            return self._copy(value)
        except RecursionError:
            raise InputError("value-deep") from None

    def take(self, where: str) -> list[str]:
        """One warning a kind of repair, and a clean slate."""
        lines = [f"{where}: {count} × {kind}." for kind, count in self.repairs.items()]
        self.repairs.clear()
        return lines

    def _copy(self, value: Any) -> Any:
        kind = type(value)  # the types that JSON gives come first: the abstract ones cost ten times as much to ask
        if kind is str:
            return value if value.isascii() else self._text(value)
        if kind is dict:  # most keys and texts are ASCII, and need no look
            return {
                key if type(key) is str and key.isascii() else self._text(str(key)): item
                if type(item) is str and item.isascii()
                else self._copy(item)
                for key, item in value.items()
            }
        if kind is list:
            return [self._copy(item) for item in value]
        return value if value is None or kind is bool else self._rest(value)

    def _rest(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self._text(str(key)): self._copy(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._copy(item) for item in value]
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return self._number(value)
        if callable(dump := getattr(value, "model_dump", None)):  # messages as the openai package returns them
            return self._copy(dump(mode="json", exclude_unset=True))
        raise InputError("no-json-value", kind=type(value).__name__)

    def _text(self, text: str) -> str:
        text = str.__str__(text)  # a StrEnum becomes its value
        if text.isascii() or not SURROGATE.search(text):
            return text
        fixed, count = SURROGATE.subn("\ufffd", text)
        self.repairs[LOST_TEXT] += count
        return fixed

    def _number(self, number: float) -> float | None:
        fine = number.bit_length() < LONGEST_INT if isinstance(number, int) else math.isfinite(number)
        if not fine:
            self.repairs[LOST_NUMBER] += 1
            return None
        return number
