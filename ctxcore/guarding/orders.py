"""Texts that give the model orders, where only facts are due: marks of prompt injection in results and documents.

Marks, not proof: they are shown, and nothing is taken out because of them. The patterns are in orders.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from ctxcore.guarding.signs import is_order
from ctxcore.memo import Memo

_known: Memo[str, tuple[str, ...]] = Memo(32_000_000)


def marks(text: str) -> tuple[str, ...]:
    """The kinds of marks in the text: ignore, role, orders, hide, prompt, send, hidden."""
    found = _known.young.get(text)
    if found is None and (found := _known.get(text, len(text))) is None:
        found = _marks(text)
        _known.put(text, found, len(text))
    return found


def told(kinds: Iterable[str]) -> str:
    return ", ".join(sorted(set(kinds)))


def _marks(text: str) -> tuple[str, ...]:
    lowered = text.lower()
    phrases = (
        name for name, hints, pattern in _patterns() if any(hint in lowered for hint in hints) and pattern.search(text)
    )
    return tuple(dict.fromkeys((*phrases, *(("orders",) if is_order(text) else ()))))


@cache
def _patterns() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    """Name, texts without one of which the pattern finds nothing (a look costs a hundredth of a search), pattern."""
    data = json.loads(resources.files(__package__).joinpath("orders.json").read_text("utf-8"))

    def whole(pattern: str) -> re.Pattern[str]:
        for word, alternatives in data["words"].items():
            pattern = pattern.replace(f"«{word}»", alternatives)
        return re.compile(pattern, re.IGNORECASE | re.MULTILINE)

    each = ((name, one) for name, some in data["marks"].items() for one in some)
    return tuple((name, tuple(one["has"]), whole(one["pattern"])) for name, one in each)
