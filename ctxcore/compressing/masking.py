"""An old tool result as one line that says what was there: its tokens, its tool, how many numbers, which message."""

from __future__ import annotations

import json
import re

from ctxcore.compressing.json_text import json_value
from ctxcore.item import Item
from ctxcore.memo import Memo

LEFT_OUT = "left out"
_MASKED = re.compile(rf'"?\[{LEFT_OUT}: [^\]\n]*\]"?')
_RUN = re.compile(r"\d+", re.ASCII)
_lines: Memo[tuple[str, str, str], tuple[str, int]] = Memo(16_000_000)


def is_masked(text: str) -> bool:
    return _MASKED.fullmatch(text) is not None


def masked(item: Item) -> tuple[str, int]:
    """The line, and the numbers that the text held; a JSON string where the text was JSON. Remembered by content."""
    tool = " ".join((item.result.name if item.result else item.name).replace("]", " ").split())
    key = item.text, tool, item.id
    found = _lines.young.get(key) or _lines.get(key, len(item.text))
    if found is None:
        numbers = len(set(_RUN.findall(item.text)))
        line = f"[{LEFT_OUT}: {item.tokens} tokens{' of ' * bool(tool)}{tool}, {numbers} numbers; {item.id}]"
        found = (json.dumps(line, ensure_ascii=False) if json_value(item.text) is not None else line), numbers
        _lines.put(key, found, len(item.text))
    return found
