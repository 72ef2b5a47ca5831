"""Precision and recall on the labelled set, for ours and for the plain patterns that most projects begin with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import table
from ctxcore.guarding.finding import Finder
from ctxcore.guarding.match import Match, apart
from ctxcore.guarding.orders import marks

SET = Path(__file__).with_name("labelled.txt")
KINDS = ("email", "phone", "identity", "card", "secret", "injection")
_MARK = re.compile(r"⟦(\w+) (.*?)⟧", re.DOTALL)
Find = Callable[[str], Iterable[Match]]

# What a first search on the web gives: the ground to compare with.
_PLAIN = {
    "email": r"[\w.+-]+@[\w-]+\.[\w.-]+",
    "phone": r"(?:\+?\d{1,3}[ -.]?)?\(?\d{3,4}\)?[ -.]?\d{3,4}[ -.]?\d{3,4}",
    "identity": r"\d{17}[\dXx]|\d{3}-\d{2}-\d{4}",
    "card": r"(?:\d[ -]?){13,19}|[A-Z]{2}\d{2}[A-Z0-9 ]{11,30}",
    "secret": r"(?i)(?:password|secret|token|api[_-]?key)\W{1,4}(\S+)|(?:AKIA|ghp_|sk[-_])\w{10,}",
}
_ORDERS = re.compile(r"(?i)ignore (?:all )?(?:the )?(?:previous|above)|system prompt|忽略|系统提示")


@dataclass(frozen=True)
class Line:
    language: str
    text: str
    values: tuple[Match, ...]
    is_injection: bool
    is_late: bool  # written after the detectors, which were not changed for it


@dataclass(frozen=True)
class Score:
    right: int  # labelled values of which no character was left to see
    wrong: int  # matches that touch no labelled value of their kind
    all: int

    @property
    def recall(self) -> float:
        return self.right / self.all if self.all else 1.0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0


def labelled(path: Path = SET) -> list[Line]:
    return [_line(row) for row in path.read_text("utf-8").splitlines() if row and not row.startswith("#")]


def _line(row: str) -> Line:
    tags, _, marked = row.partition("\t")
    marked, values, text, at = marked.replace("\\n", "\n"), list[Match](), "", 0
    for found in _MARK.finditer(marked):
        text += marked[at : found.start()]
        values.append(Match(found[1], len(text), len(text) + len(found[2])))
        text, at = text + found[2], found.end()
    return Line(tags.split()[0], text + marked[at:], tuple(values), "injection" in tags.split(), "late" in tags.split())


def ours(text: str) -> Iterable[Match]:
    return (*Finder().find(text), *([Match("injection", 0, len(text))] if marks(text) else []))


def plain(text: str) -> Iterable[Match]:
    found = apart(Match(k, *m.span()) for k, pattern in _PLAIN.items() for m in re.finditer(pattern, text))
    return (*found, *([Match("injection", 0, len(text))] if _ORDERS.search(text) else []))


FINDERS: dict[str, Find] = {"ctxcore": ours, "plain patterns": plain}


def score(lines: Sequence[Line], find: Find, kind: str) -> Score:
    right = wrong = whole = 0
    for line in lines:
        due = [Match("injection", 0, len(line.text))] * line.is_injection if kind == "injection" else line.values
        due = [match for match in due if match.kind == kind]
        found = [match for match in find(line.text) if match.kind == kind]
        whole += len(due)
        right += sum(_is_covered(match, found) for match in due)
        wrong += sum(not any(_touch(match, other) for other in due) for match in found)
    return Score(right, wrong, whole)


def _is_covered(due: Match, found: Sequence[Match]) -> bool:
    seen = {at for match in found for at in range(match.start, match.end)}
    return seen.issuperset(range(due.start, due.end))


def _touch(one: Match, other: Match) -> bool:
    return one.start < other.end and other.start < one.end


def measured(lines: Sequence[Line], finders: dict[str, Find]) -> Iterator[tuple[str, str, dict[str, Score]]]:
    for kind in KINDS:
        for language in ("en", "zh"):
            own = [line for line in lines if line.language == language]
            yield kind, language, {name: score(own, find, kind) for name, find in finders.items()}


def table_of(rows: Iterable[tuple[str, str, dict[str, Score]]]) -> str:
    found = list(rows)
    header = [
        "kind",
        "language",
        "labelled",
        *(f"{name}: {what}" for name in found[0][2] for what in ("precision", "recall")),
    ]
    cells = []
    for kind, language, scores in found:
        first = next(iter(scores.values()))
        numbers = [f"{value:.0%}" for one in scores.values() for value in (one.precision, one.recall)]
        cells.append([kind, language, str(first.all), *numbers])
    return table(header, cells)


def missed(lines: Sequence[Line]) -> Iterator[str]:
    """What ours does not find, and what it finds wrongly: the lines to look at."""
    for kind in KINDS:
        for line in lines:
            one = score([line], ours, kind)
            if one.right < one.all:
                yield f"missed {kind}: {line.text!r}"
            if one.wrong:
                found = [line.text[match.start : match.end] for match in ours(line.text) if match.kind == kind]
                yield f"wrong {kind}: {line.text!r} {found}"
