"""Cuts a document into chunks that can be found by themselves: no sentence and no code block is cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ctxcore.errors import InputError
from ctxcore.retrieving.blocks import units
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True)
class Chunk:
    text: str
    start: int  # characters of the document; a chunk overlaps with the one before it
    end: int
    tokens: int
    heading: str = ""  # those above it, outermost first, which the chunk itself does not hold
    oversized: bool = False  # a single sentence or code block that is longer than the size asked for

    @property
    def searched(self) -> str:
        """What an index takes in."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text


@dataclass(frozen=True, slots=True)
class Chunking:
    size: int = 150  # tokens, at most, but for a single unit that is longer
    overlap: int = (
        20  # tokens, at most, that a chunk repeats of the one before it, in whole sentences; none at a heading
    )

    def __post_init__(self) -> None:
        if self.size < 1 or not 0 <= self.overlap < self.size:
            raise InputError("chunk-size", size=self.size, overlap=self.overlap)

    def chunks(self, text: str, counter: Counter, name: str = "") -> tuple[Chunk, ...]:
        """Together they hold every character of the text. `name` is the file's: it tells source code from prose."""
        cut: Any = _chunks  # which takes any counter: each is its own key
        found: tuple[Chunk, ...] = cut(self, text, counter, name)
        return found


@lru_cache(maxsize=256)
def _chunks(how: Chunking, text: str, counter: Counter, name: str) -> tuple[Chunk, ...]:
    return tuple(_Cutter(how, text, counter, name).cut()) if text.strip() else ()


class _Cutter:
    def __init__(self, how: Chunking, text: str, counter: Counter, name: str) -> None:
        self.how, self.text, self.counter = how, text, counter
        self.units = units(text, name)
        self.tokens = [counter.count(text[unit.start : unit.end]) for unit in self.units]

    def cut(self) -> Iterator[Chunk]:
        above = self._headings()
        first = end = 0
        while end < len(self.units):
            end = self._end(first, end)
            start, stop, tokens = self.units[first].start, self.units[end - 1].end, self._count(first, end)
            yield Chunk(self.text[start:stop], start, stop, tokens, above[first], tokens > self.how.size)
            first = self._back(end)

    def _end(self, first: int, new: int) -> int:
        """Behind the last unit that fits; the one at `new` always does. From half the size on, a heading is a better
        place to end; and no heading stays behind without what it heads."""
        end, total = first, 0
        while end < len(self.units) and (end <= new or total + self.tokens[end] <= self.how.size):
            if end > new and self.units[end].kind == "heading" and 2 * total >= self.how.size:
                break
            total += self.tokens[end]
            end += 1
        while end > new + 1 and self._count(first, end) > self.how.size:  # a whole may count for more than its parts
            end -= 1
        while new + 1 < end < len(self.units) and self.units[end - 1].kind == "heading":
            end -= 1
        return end

    def _back(self, end: int) -> int:
        """Where the next chunk begins: so far back as the overlap, and the unit at `end`, allow."""
        if end == len(self.units) or self.units[end].kind == "heading":
            return end
        room = min(self.how.overlap, self.how.size - self.tokens[end])
        first = end
        while first > 0 and (room := room - self.tokens[first - 1]) >= 0:
            first -= 1
        return first

    def _count(self, first: int, end: int) -> int:
        return self.counter.count(self.text[self.units[first].start : self.units[end - 1].end])

    def _headings(self) -> list[str]:
        """For each unit, the headings above it."""
        found: list[str] = []
        path: list[tuple[int, str]] = []
        for unit in self.units:
            level = _level(self.text[unit.start : unit.end]) if unit.kind == "heading" else 0
            path = [(depth, title) for depth, title in path if not level or depth < level]
            found.append(" › ".join(title for _, title in path))
            if level:
                path.append((level, self.text[unit.start : unit.end].strip().strip("#").strip()))
        return found


def _level(line: str) -> int:
    bare = line.lstrip()
    return len(bare) - len(bare.lstrip("#"))
