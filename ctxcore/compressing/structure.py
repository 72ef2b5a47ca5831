"""Shorter without a loss, before anything is left out: JSON as tables, logs as patterns, tables without padding."""

from __future__ import annotations

from ctxcore.compressing.json_text import dump, json_value
from ctxcore.compressing.logs import fold, tidy_table
from ctxcore.compressing.tables import shaped
from ctxcore.memo import Memo
from ctxcore.services import Counter

SHORTEST = 200  # characters: there is nothing to fold in less

_folded: Memo[str, str] = Memo(32_000_000)


def folded(text: str, counter: Counter) -> str:
    """The same facts in fewer tokens; the text itself where there is nothing to gain. JSON stays JSON."""
    if len(text) < SHORTEST:
        return text
    short = _folded.young.get(text) or _folded.get(text, len(text))
    if short is None:
        value = json_value(text)
        short = fold(tidy_table(text)) if value is None else dump(shaped(value))
        _folded.put(text, short, len(text) + len(short))
    return short if short != text and counter.count(short) < counter.count(text) else text
