"""What of a text is left: the longest pieces of it that another text still says word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORTEST = 3  # words; two in a row are found anywhere
LONGEST_TEXT = 40_000  # characters of either text that are compared
TRIED = 24  # places at which the same three words are followed on
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", re.UNICODE)


def words(text: str) -> Iterator[str]:
    """Words of two letters and more, numbers, single Chinese characters: enough to see what of a text survives."""
    return (match.group().lower() for match in re.finditer(r"[A-Za-z_]{2,}|\d[\d.,%]*|[\u4e00-\u9fff]", text))


def says_half(text: str, wanted: str) -> bool:
    """Whether at least half of the wanted words are said; of one word there is no half."""
    asked = set(words(wanted))
    return 2 * len(asked & set(words(text))) >= len(asked) > 1


def pieces(wanted: str, text: str, most: int = 3) -> tuple[str, ...]:
    """The longest stretches of `wanted`, as they stand in `text`, the longest first; at least three words each."""
    old = list(_WORD.finditer(wanted[:LONGEST_TEXT]))
    new = list(_WORD.finditer(text[:LONGEST_TEXT]))
    said, asked = [m.group().lower() for m in new], [m.group().lower() for m in old]
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(said) - SHORTEST + 1):
        places.setdefault(tuple(said[at : at + SHORTEST]), []).append(at)
    found: list[tuple[int, int]] = []  # words, place in the new text
    at = 0
    while at <= len(asked) - SHORTEST:
        starts = places.get(tuple(asked[at : at + SHORTEST]), [])[:TRIED]
        length, start = max(((_shared(asked, at, said, start), -start) for start in starts), default=(0, 0))
        if length:
            found.append((length, -start))
        at += length or 1
    longest = sorted(dict.fromkeys(found), key=lambda one: (-one[0], one[1]))[:most]
    return tuple(text[new[start].start() : new[start + length - 1].end()] for length, start in longest)


def _shared(asked: list[str], at: int, said: list[str], start: int) -> int:
    length = 0
    while at + length < len(asked) and start + length < len(said) and asked[at + length] == said[start + length]:
        length += 1
    return length
