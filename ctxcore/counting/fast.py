"""Counting without ids: where toktok-rs is installed, it gives tiktoken's numbers several times sooner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from ctxcore.counting.vocabularies import VOCABULARIES

SERIES = "0.3."  # the versions that were compared with tiktoken; another one is not used
LONG_S = "\u017f"  # after an apostrophe it is split in another way than by tiktoken

Count = Callable[[Sequence[str], str], list[int]]


@cache
def _count() -> Count | None:
    try:
        import toktok  # 4 MB of its own, with the vocabularies: only who counts pays
    except ImportError:
        return None
    given: Count = toktok.batch_count
    return given if toktok.__version__.startswith(SERIES) else None


def is_fast(name: str) -> bool:
    """Whether texts of this encoding are counted that way."""
    return name not in VOCABULARIES and _count() is not None


def counts(name: str, texts: Sequence[str]) -> list[int]:
    """Tokens of each text, all at once. Only where `is_fast`, and only of texts that `can_count`."""
    count = _count()
    assert count is not None
    return count(texts, name)


def can_count(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return LONG_S not in text
