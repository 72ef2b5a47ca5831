"""Cuts English and Chinese text into sentences, without losing a character: joined again they are the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 400  # characters; log lines, one-line JSON and pages without a stop are cut at this length

_LINE = re.compile(r"[^\n]*\n(?:[^\S\n]*\n)*|[^\n]+")  # blank lines stay with the line above
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_WHOLE = re.compile(r"(?:    |\t|\s*(?:[|>#]|[-*+•·]\s|[0-9]{1,3}[.)、]\s?))")  # code, tables, quotes, headings, lists
_STOP = re.compile(
    r"(?<![.!?])[.!?]++[\"'”’)\]*_]*+\s++"  # English: a stop, what closes after it, a space
    r"|(?:[。！？；]|…{2,}+)[。！？；…”’」』）)\"]*+\s*+"  # Chinese: no space needed
)
_TITLES = "e.g i.e mr mrs ms dr prof st vs cf fig figs eq sec ch vol pp approx dept gen sen rep rev viz resp ca incl"
_ENDINGS = "etc inc ltd co corp jr sr a.m p.m u.s u.k al est no nos jan feb mar apr aug sept oct nov dec"
_NEVER_LAST = frozenset(_TITLES.split())
_SELDOM_LAST = frozenset(_ENDINGS.split())

# The last good place in 200–400 characters, best kind first; digits after a comma may be the rest of a number.
_PLACES = (
    re.compile(r"[\s\S]{199,397}[}\]],\s?"),  # between the records of a JSON list
    re.compile(r"[\s\S]{199,398}(?:[,;](?![0-9])|[，、；：}\]\s])\s?"),
    re.compile(r"[\s\S]{199,398}[,;:.&/|]"),
)


def sentences(text: str) -> list[str]:
    """Sentences with the white space after them. A line of code, of a table or of a list is one, whatever is in it."""
    found: list[str] = []
    fenced = False
    for line in _LINE.findall(text):
        edge = _FENCE.match(line) is not None
        parts = [line] if fenced or edge or _WHOLE.match(line) else split(line)
        fenced ^= edge
        for part in parts:
            if len(part) <= LONGEST:
                found.append(part)
            else:
                found.extend(_pieces(part))
    return found


def split(line: str) -> list[str]:
    """The sentences of a paragraph, however long, each with the white space after it."""
    parts, start = [], 0
    for stop in _STOP.finditer(line):
        if line[stop.start()] not in ".!?" or _ends(line, start, stop):
            parts.append(line[start : stop.end()])
            start = stop.end()
    if start < len(line):
        parts.append(line[start:])
    return parts


def _ends(line: str, start: int, stop: re.Match[str]) -> bool:
    """Whether an English stop ends a sentence, judged by the word before it and the character after it."""
    after = line[stop.end() : stop.end() + 1]
    if line[stop.start()] != "." or stop.group().rstrip() != ".":
        return not after.islower()  # "Why?" he said; Yahoo! grows
    before = line[max(start, stop.start() - 12) : stop.start()].split()
    word = before[-1].lstrip("([\"'“‘") if before else ""
    if word.lower() in _NEVER_LAST or (len(word) == 1 and word.isascii() and word.isupper()):
        return False
    if word.lower() in _SELDOM_LAST:
        digits_follow = word.lower() in ("no", "nos") and after.isdigit()
        return not (after.islower() or digits_follow)
    return True


def _pieces(part: str) -> Iterator[str]:
    start = 0
    while len(part) - start > LONGEST:
        place = next((m for pattern in _PLACES if (m := pattern.match(part, start, start + LONGEST))), None)
        end = place.end() if place else start + LONGEST
        yield part[start:end]
        start = end
    yield part[start:]
