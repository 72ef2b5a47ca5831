"""A question set: questions, and where their answers stand; read from JSON or CSV, measured against a retriever."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.decoding import decoded
from ctxcore.importing.plain import Copier
from ctxcore.retrieving.knowledge import Knowledge
from ctxcore.retrieving.measures import Measures, mean, measured
from ctxcore.services import Retriever
from ctxcore.words import Phrase

DOCUMENTS = ("correct_chunks", "documents", "relevant", "sources")  # titles of the documents that answer
TEXTS = ("holds", "evidence", "quotes")  # words that a chunk must hold to answer
SHAPE = Phrase("questions-shape")
DEPTH = 50  # chunks searched for each place of the ranking: several of a document count once
MOST = 10_000


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    documents: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    question: Question
    measures: Measures
    ranking: tuple[str, ...]  # titles or pieces, as the question asks for documents or for words


def read_questions(data: bytes | str, name: str = Phrase("the-question-set")) -> tuple[Question, ...]:
    """Raises InputError with the place and the shape that is expected."""
    text = data if isinstance(data, str) else decoded(data, name)[0]
    rows = _table(text, name) if is_table(text) else _json(text, name)
    if not rows:
        raise InputError("questions-none", name=name, shape=SHAPE)
    if len(rows) > MOST:
        raise InputError("questions-many", name=name, count=len(rows), most=MOST)
    return tuple(_question(row, Phrase("place-in", name=name, where=where)) for where, row in rows)


def is_table(text: str) -> bool:
    """Whether the first line names the columns of a CSV file."""
    head = text.lstrip("\ufeff \r\n").partition("\n")[0]
    return head.lower().lstrip('"').startswith("question") and any(mark in head for mark in ",;\t")


def _table(text: str, name: str) -> list[tuple[str, Any]]:
    """CSV with a column `question` and one of those below; several in a cell are parted by `|`. Each with its line."""
    above = text[: len(text) - len(text.lstrip("\ufeff \r\n"))].count("\n")
    text, many = text.lstrip("\ufeff \r\n"), {*DOCUMENTS, *TEXTS}
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))  # of the whole process
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=text.partition("\n")[0].count))
    found = list[tuple[str, Any]]()
    try:
        rows.fieldnames = [column.strip().lower() for column in rows.fieldnames or ()]
        for row in rows:
            if any(row.values()):
                told = {key: _cell(value) if key in many else value for key, value in row.items() if value}
                found.append((Phrase("line", number=above + rows.line_num), told))
    except csv.Error as error:
        where = Phrase("place-in", name=name, where=Phrase("line", number=above + rows.line_num))
        raise InputError("questions-no-csv", where=where, error=error, shape=SHAPE) from None
    return found


def _cell(text: Any) -> list[str]:
    return [one.strip() for one in str(text).split("|") if one.strip()]


def _json(text: str, name: str) -> list[tuple[str, Any]]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        try:
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            raise InputError("questions-neither", name=name, shape=SHAPE) from None
    given = Copier().copy(rows) if isinstance(rows, list) else []
    return [(Phrase("question-number", number=number), row) for number, row in enumerate(given, 1)]


def _question(row: Any, where: str) -> Question:
    if not isinstance(row, Mapping) or not isinstance(row.get("question"), str) or not row["question"].strip():
        raise InputError("questions-no-text", where=where, shape=SHAPE)
    documents, holds = _list(row, DOCUMENTS), _list(row, TEXTS)
    if not documents and not holds:
        raise InputError("questions-no-answer", where=where, shape=SHAPE)
    return Question(row["question"], documents, holds)


def _list(row: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    given = next((row[name] for name in names if row.get(name)), ())
    given = [given] if isinstance(given, str) else given
    return tuple(str(one) for one in given) if isinstance(given, list | tuple) else ()


def answered(knowledge: Knowledge, questions: Sequence[Question], retriever: Retriever, k: int) -> list[Answered]:
    """Raises InputError where the questions ask for documents of which the knowledge base has none."""
    titles = {piece.title for piece in knowledge.pieces}
    wanted = {title for question in questions for title in question.documents if not question.holds}
    if wanted and not wanted & titles:
        raise InputError("questions-other-base", title=min(wanted))
    return [_answered(knowledge, question, retriever, k) for question in questions]


def _answered(knowledge: Knowledge, question: Question, retriever: Retriever, k: int) -> Answered:
    hits = knowledge.hits(question.text, retriever, k if question.holds else k * DEPTH)
    pieces = [knowledge.pieces[hit.index] for hit in hits]
    if not question.holds:
        ranking = tuple(dict.fromkeys(piece.title for piece in pieces))[:k]
        return Answered(question, measured(ranking, question.documents, k), ranking)
    marks = list(_marks([piece.chunk.text for piece in pieces], question.holds))
    right = [f"holds {at}" for at in range(len(question.holds))]
    return Answered(question, measured(marks, right, k), tuple(piece.name for piece in pieces))


def _marks(texts: Sequence[str], holds: Sequence[str]) -> Iterator[str]:
    """For each text, the first of the wanted words that it holds and that none before it held."""
    left = {at: _flat(words) for at, words in enumerate(holds)}
    for number, text in enumerate(map(_flat, texts)):
        at = next((at for at, words in left.items() if words in text), None)
        if at is None:
            yield f"text {number}"
        else:
            del left[at]
            yield f"holds {at}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def measures_of(found: Sequence[Answered]) -> Measures:
    return mean([one.measures for one in found])
