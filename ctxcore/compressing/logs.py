"""Lines that differ in numbers only, folded: the pattern once, how often it stands there, and what differs as rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

FEWEST = 3  # lines of one pattern
FEWEST_LINES = 6  # of a text that is looked at
SAVED = 0.8  # of the characters, at most, that the folded text may have
HOLE = "{}"
BETWEEN = " "

# \w takes hanzi for word characters: the ranges are written out.
_VARIES = re.compile(
    r"[0-9]+(?=(?:Z|[munµ]?s|[KMG]i?B)?(?![0-9A-Za-z]))"  # the unit belongs to the pattern
    r"|[0-9A-Za-z]*[0-9][0-9A-Za-z]*"
)
_STAMP = re.compile(r"\s*\[?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}|[A-Z][a-z]{2} +[0-9]{1,2} |[0-9]{2}:[0-9]{2}:[0-9]{2})")
_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")
_PADDING = re.compile(r" {2,}(?=\S)")


def fold(text: str) -> str:
    """The text itself where folding saves little. A log whose lines have times is folded across its lines."""
    if text.count("\n") < FEWEST_LINES - 1 or HOLE in text:
        return text
    lines = text.split("\n")
    stamped = sum(_STAMP.match(line) is not None for line in lines)
    parts = _gathered(lines) if stamped >= len(lines) * 0.6 else _runs(lines)
    short = "\n".join(line for part in parts for line in _folded(part))
    return short if len(short) <= SAVED * len(text) else text


def tidy_table(text: str) -> str:
    """A Markdown table without the blanks that align it, and with a head that comes again only once."""
    lines = text.split("\n")
    out: list[str] = []
    seen: set[str] = set()
    skip = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if skip or not line.lstrip().startswith("|"):
            out += [] if skip else [line]
            skip = False
            continue
        if _RULE.fullmatch(line):
            out.append(re.sub(r"-{2,}", "-", _PADDING.sub("", line)).rstrip())
            continue
        bare = _PADDING.sub(" ", line).rstrip()
        is_head = _RULE.fullmatch(following) is not None
        skip = is_head and bare in seen
        out += [] if skip else [bare]
        seen |= {bare} if is_head else set()
    return "\n".join(out)


def _pattern(line: str) -> str:
    return _VARIES.sub(HOLE, line)


def _runs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines in their order, those of one pattern in a row together."""
    run: list[str] = []
    last = ""
    for line in lines:
        pattern = _pattern(line)
        if run and pattern != last:
            yield run
            run = []
        run.append(line)
        last = pattern
    yield run


def _gathered(lines: Sequence[str]) -> list[list[str]]:
    """All lines of a pattern together, where the first of them stood: their times say the order."""
    found: dict[str, list[str]] = {}
    for line in lines:
        found.setdefault(_pattern(line), []).append(line)
    return list(found.values())


def _folded(lines: Sequence[str]) -> Iterator[str]:
    if len(lines) < FEWEST or not lines[0].strip():
        yield from lines if lines[0].strip() else lines[:1]
        return
    rows = [_VARIES.findall(line) for line in lines]
    varies = [len(set(column)) > 1 for column in zip(*rows, strict=True)]
    pieces = iter(zip(rows[0], varies, strict=True))
    head = _VARIES.sub(lambda _: (lambda piece: HOLE if piece[1] else piece[0])(next(pieces)), lines[0])
    yield f"{len(lines)}× {head}"
    if any(varies):
        yield from (BETWEEN.join(one for one, differs in zip(row, varies, strict=True) if differs) for row in rows)
