"""What a way keeps of texts: tokens, numbers, facts, the answer, JSON; and the table of several ways."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from bench.compressing.cases import Case
from bench.compressing.ways import COUNTER, Way
from bench.report import table
from ctxcore.auditing.audit import NUMBERS, audit
from ctxcore.compressing.json_text import json_value


@dataclass(frozen=True)
class Score:
    tokens: float  # share of the text's
    numbers: float
    facts: float  # weighted
    answered: float | None
    valid: float | None  # of those that were JSON, those that still are


def score(cases: Sequence[Case], way: Way, share: float) -> Score:
    rows = []
    for case in cases:
        total = COUNTER.count(case.text)
        short = way(case, max(1, int(total * share)))
        found = audit(case.text, short)
        kept, whole = (sum(found.kinds.get(kind, (0, 0))[at] for kind in NUMBERS) for at in (0, 1))
        valid = None if json_value(case.text) is None else float(_is_json(short))
        answered = float(_flat(case.gold) in _flat(short)) if case.gold else None
        rows.append((COUNTER.count(short) / total, kept / whole if whole else None, found.recall, answered, valid))
    return Score(*(_mean(column) for column in zip(*rows, strict=True)))  # type: ignore[arg-type]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def _flat(text: str) -> str:
    return " ".join(text.split())


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def shown(header: str, cases: Sequence[Case], ways: dict[str, Way], share: float) -> str:
    rows = []
    for name, way in ways.items():
        found = score(cases, way, share)
        cells = (found.tokens, found.numbers, found.facts, found.answered, found.valid)
        rows.append([name, *("–" if cell is None else f"{cell:.1%}" for cell in cells)])
    return table([header, "tokens", "numbers kept", "facts kept", "question's answer kept", "JSON stays JSON"], rows)
