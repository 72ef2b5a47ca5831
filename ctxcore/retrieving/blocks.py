"""Cuts a text into the units that a chunk is made of: sentences, rows, headings, and code blocks, which stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ctxcore.compressing.sentences import split
from ctxcore.importing.documents import CODE

Kind = Literal["sentence", "heading", "code", "row"]  # a row: of a table, a list, a log

NARROW = 40  # bytes: nobody wraps lines at less, 40 letters or 13 characters of Chinese
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_ROW = re.compile(r"\s*(?:[|>]|[-*+•·]\s|[0-9]{1,3}[.)、]\s|[\[{<(]|[0-9]{2,}[-:/.])")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_FIRST = re.compile(
    r"\s*(?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\S+)"
)  # the first word, or a character of Chinese


@dataclass(frozen=True, slots=True)
class Unit:
    start: int  # characters
    end: int
    kind: Kind


def units(text: str, name: str = "") -> list[Unit]:
    """Without a gap: each ends where the next begins, blank lines go with the unit before them.

    `name`: a file of source code is cut where a line starts at the margin after a blank line.
    """
    is_code = name.lower().endswith(tuple(CODE))
    found: list[Unit] = []
    at = 0
    for block, kind in _definitions(text) if is_code else _blocks(text):
        parts = split(block) if kind == "sentence" else [block]
        for part in parts:
            if found and not part.strip():
                found[-1] = Unit(found[-1].start, at + len(part), found[-1].kind)
            else:
                found.append(Unit(at, at + len(part), kind))
            at += len(part)
    return found


def _definitions(text: str) -> Iterator[tuple[str, Kind]]:
    held, blank = "", False
    for line in _LINES.findall(text):
        if held and blank and line[:1] not in (" ", "\t", "\n", "\r", "}", ")", "]"):
            yield held, "code"
            held = ""
        held += line
        blank = not line.strip()
    if held:
        yield held, "code"


def _blocks(text: str) -> Iterator[tuple[str, Kind]]:
    """Code blocks whole, headings and rows line by line, and paragraphs, whose lines may be wrapped."""
    lines: list[str] = _LINES.findall(text)
    at = 0
    while at < len(lines):
        end, kind = _block(lines, at)
        yield "".join(lines[at:end]), kind
        at = end


def _block(lines: list[str], at: int) -> tuple[int, Kind]:
    """Where the block that begins at a line ends, and what it is."""
    line = lines[at]
    if fence := _FENCE.match(line):
        return _fenced(lines, at, fence[1]), "code"
    if _INDENTED.match(line) and (at == 0 or not lines[at - 1].strip()):
        return _indented(lines, at), "code"
    if _HEADING.match(line):
        return at + 1, "heading"
    if not line.strip():
        return at + 1, "sentence"
    if _ROW.match(line):
        return at + 1, "row"
    return _paragraph(lines, at), "sentence"


def _fenced(lines: list[str], at: int, mark: str) -> int:
    """Behind the line that closes the fence: as many of its marks or more, and nothing else."""
    close = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}\s*$")
    return next((end + 1 for end in range(at + 1, len(lines)) if close.match(lines[end])), len(lines))


def _indented(lines: list[str], at: int) -> int:
    end = last = at + 1
    while end < len(lines) and (_INDENTED.match(lines[end]) or not lines[end].strip()):
        end += 1
        last = end if lines[end - 1].strip() else last
    return last


def _paragraph(lines: list[str], at: int) -> int:
    """Lines that one sentence may run through: the next word would not have fitted on the line before it."""
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts(lines[end]):
        end += 1
    width = max(len(line.rstrip()) for line in lines[at:end])
    if max(len(line.encode("utf-8", "replace")) for line in lines[at:end]) < NARROW:
        return at + 1
    for next_at in range(at + 1, end):
        word = _FIRST.match(lines[next_at])
        if len(lines[next_at - 1].rstrip()) + len(word[0] if word else "") + 1 < width:
            return next_at
    return end


def _starts(line: str) -> bool:
    return bool(_FENCE.match(line) or _HEADING.match(line) or _ROW.match(line))
