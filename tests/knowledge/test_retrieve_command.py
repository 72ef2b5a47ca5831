"""`retrieve` on the command line, and the question sets that it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxcore.cli.main import main
from ctxcore.errors import InputError
from ctxcore.retrieving.measures import measured
from ctxcore.retrieving.questions import read_questions
from tests.build import SHARED

RAG = SHARED / "inputs" / "rag" / "anthropic-docs"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "guide.md").write_text("# Limits\n\nThe cache is bounded.", encoding="utf-8")
    rows = [{"url": "https://x/a#1", "text": "The gate opens at nine.", "title": "Gate"}, {"id": 2, "content": "Data."}]
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def retrieved(capsys, *args: object) -> dict:
    assert main(["retrieve", *map(str, args), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_hits_have_scores_that_are_the_sum_of_their_reasons(capsys, docs):
    data = retrieved(capsys, docs, "--ask", "when does the gate open?")
    assert (data["documents"], data["chunks"]) == (3, 3)
    (hit,) = data["hits"]
    assert hit["name"] == "https://x/a#1 · 1"
    assert sum(reason["value"] for reason in hit["reasons"]) == pytest.approx(hit["score"], abs=1e-3)


def test_b18_measures_of_a_question_set(capsys, docs, tmp_path):
    file = tmp_path / "q.jsonl"
    file.write_text(
        '{"question": "Is the cache bounded?", "documents": ["guide.md"]}\n{"question": "gate", "holds": ["Data."]}\n',
        encoding="utf-8",
    )
    data = retrieved(capsys, docs, "--questions", file, "--k", 2)
    assert data["measures"] == {"k": 2, "questions": 2, "recall": 0.5, "precision": 0.25, "mrr": 0.5, "ndcg": 0.5}
    assert data["missed"] == ["gate"]


@pytest.mark.parametrize(
    "text",
    [
        "question,documents,holds\nHow large?,guide.md|b.md,\n退款要多久？,,三十天\n",
        "\ufeffQuestion;Documents;Holds\r\nHow large?;guide.md | b.md;\r\n退款要多久？;;三十天\r\n\r\n",
        "question\tdocuments\tholds\nHow large?\tguide.md|b.md\n退款要多久？\t\t三十天\n",
    ],
)
def test_a_set_may_be_a_table(text):
    first, second = read_questions(text)
    assert (first.text, first.documents, first.holds) == ("How large?", ("guide.md", "b.md"), ())
    assert (second.text, second.documents, second.holds) == ("退款要多久？", (), ("三十天",))


def test_a_row_that_says_nothing_is_named_by_its_line():
    with pytest.raises(InputError, match=r"q\.csv, line 4 does not say"):
        read_questions('question,holds\n"a\nb",x\nc,\n', "q.csv")
    (long,) = read_questions(f'question,holds\nq,"{"x" * 200_000}"\n')  # whatever other readers of CSV allow
    assert len(long.holds[0]) == 200_000


def test_measures_by_hand():
    found = measured(["a", "x", "b", "y"], ["b", "a", "c"], 3)
    assert (found.recall, found.precision, found.mrr) == (2 / 3, 2 / 3, 1.0)
    assert found.ndcg == pytest.approx((1 + 0.5) / (1 + 1 / 1.5849625 + 0.5))
    assert measured(["x", "a"], ["a"], 2).mrr == 0.5
    assert measured([], ["a"], 5).recall == measured(["a"], [], 5).recall == 0.0


@pytest.mark.parametrize(
    "text",
    ["question,holds\n", "question,holds\nq,\n", "[" * 9_000]
    + ["", "[]", "{", '[{"question": ""}]', '[{"question": "q"}]', '[{"question": "q", "documents": 3}]', "[1]"],
)
def test_a_set_that_makes_no_sense_is_told_with_its_shape(text):
    with pytest.raises(InputError, match="question"):
        read_questions(text, "q.json")


@pytest.mark.parametrize(
    "args", [["nowhere", "--ask", "x"], ["DOCS"], ["DOCS", "--ask", "x", "--chunk", "5", "--overlap", "9"]]
)
def test_calls_that_cannot_be_are_told_in_a_line(args, docs, capsys):
    assert main(["retrieve", *(str(docs) if one == "DOCS" else one for one in args)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not RAG.exists(), reason="needs the question set in ../shared")
def test_b18_all_100_questions_of_the_public_set(capsys):
    data = retrieved(capsys, RAG / "anthropic_docs.json", "--questions", RAG / "docs_evaluation_dataset.json")
    assert (data["documents"], data["measures"]["questions"]) == (232, 100)
    assert data["measures"]["recall"] >= 0.79
