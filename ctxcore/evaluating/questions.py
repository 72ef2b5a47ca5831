"""Questions with expected answers: the sets that ship, and how people write their own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from ctxcore.errors import InputError

SCHEMA = "ctxcore.questions/1"
KINDS = ("contains", "exact", "number")
EXAMPLE = "How wide is the river? = 40 metres | forty metres"


@dataclass(frozen=True, slots=True)
class Question:
    """Right where the reply contains one of `expects`, is one of them, or names one of these numbers. `evidence`: what
    of the sources says so, word for word, where the expected answer alone could stand anywhere."""

    id: str
    ask: str
    expects: tuple[str, ...]
    kind: str = "contains"
    tolerance: float = 0.0  # of a number, absolute
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionSet:
    name: str
    scenario: str  # that the questions are about
    questions: tuple[Question, ...]


def read_set(data: Mapping[str, Any]) -> QuestionSet:
    """Raises InputError that names the question and what is wrong with it."""
    found = data.get("questions")
    if data.get("schema", SCHEMA) != SCHEMA or not isinstance(found, list) or not found:
        raise InputError("set-schema", schema=SCHEMA)
    questions = tuple(_question(at, one) for at, one in enumerate(found, 1))
    return QuestionSet(str(data.get("name", "")), str(data.get("scenario", "")), questions)


def read_lines(text: str) -> tuple[Question, ...]:
    """One a line: `question = answer | another answer`. Raises InputError for a line without an answer."""
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    return tuple(_of_line(at, line) for at, line in lines)


def written(questions: Iterable[Question]) -> str:
    return "\n".join(f"{one.ask} = {' | '.join(one.expects)}" for one in questions)


def shipped_set(scenario: str) -> QuestionSet | None:
    """The questions that ship for a built-in scenario."""
    file = files(__package__) / "sets" / f"{scenario}.json"
    return read_set(json.loads(file.read_text(encoding="utf-8"))) if scenario and file.is_file() else None


def _question(at: int, data: Any) -> Question:
    given = data if isinstance(data, Mapping) else {}
    expects = given.get("expect")
    expects = [expects] if isinstance(expects, str | int | float) else expects
    kind, ask = given.get("kind", "contains"), given.get("ask")
    if not (isinstance(ask, str) and ask.strip() and isinstance(expects, list) and expects and kind in KINDS):
        raise InputError("set-question", at=at, kinds=list(KINDS))
    name, tolerance = str(given.get("id") or f"q{at:02}"), given.get("tolerance", 0)
    evidence = given.get("evidence", ())
    evidence = (evidence,) if isinstance(evidence, str) else tuple(map(str, evidence))
    return Question(name, ask.strip(), tuple(map(str, expects)), kind, float(tolerance), evidence)


def _of_line(at: int, line: str) -> Question:
    ask, _, answers = line.rpartition("=")
    expects = tuple(one.strip() for one in answers.split("|") if one.strip())
    if not ask.strip() or not expects:
        raise InputError("set-no-answer", at=at, such=EXAMPLE)
    return Question(f"q{at:02}", ask.strip(), expects)
