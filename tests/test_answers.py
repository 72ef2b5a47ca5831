"""The cache of model answers: shared by processes, bounded, never an error's text, and dispensable."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ctxcore.cache_file import CacheFile, cache_path
from ctxcore.compressing import asking
from ctxcore.compressing.answers import Answers, answers_from_env
from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.model_compressor import ModelCompressor
from ctxcore.counting.tokens import counter_for
from ctxcore.fakes import ScriptedModel
from ctxcore.memo import Memo

COUNTER = counter_for("gpt-4o")
TEXT = "".join(f"The {name} service answered with care and logged nothing. " for name in ("red", "blue", "old") * 40)
GOOD = "The red, blue and old service answered with care."
LIMITS: dict[str, Any] = {"query": "service", "max_tokens": 60, "counter": COUNTER}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "answers.sqlite"


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process remembers is another process's ignorance."""
    monkeypatch.setattr(asking, "_answers", Memo(16_000_000))


def compressor(file: Path, *replies: str, live: bool = True) -> ModelCompressor:
    return ModelCompressor(ScriptedModel(list(replies)), Extractive(), live=live, answers=Answers(file))


def test_another_process_finds_a_good_answer(file, monkeypatch):
    first = compressor(file, GOOD)
    assert first.compress(TEXT, **LIMITS) == GOOD
    monkeypatch.setattr(asking, "_answers", Memo(16_000_000))
    again = ModelCompressor(ScriptedModel([GOOD]), Extractive(), live=False, answers=Answers(file))
    assert again.compress(TEXT, **LIMITS) == GOOD
    assert [rule for rule, _ in again.told()] == ["model-summary"]
    found = Answers(file).statistics()
    assert (found.entries, found.hits, found.misses, found.rate) == (1, 1, 1, 0.5)
    assert oct(file.stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize(
    ("change", "value"), [("query", "another"), ("max_tokens", 90), ("counter", counter_for("gpt-4"))]
)
def test_the_key_covers_what_matters(file, change, value, monkeypatch):
    compressor(file, GOOD).compress(TEXT, **LIMITS)
    monkeypatch.setattr(asking, "_answers", Memo(16_000_000))
    other = ModelCompressor(ScriptedModel([GOOD]), Extractive(), live=False, answers=Answers(file))
    other.compress(TEXT, **LIMITS | {change: value})
    assert [rule for rule, _ in other.told()] == ["model-not-called"]


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("Error 502: upstream gateway unavailable, try later", "model-failed"),
        ("I cannot help with that request, sorry.", "model-failed"),
        ("", "model-failed"),
        ("The red service answered 999 times.", "model-invented"),
    ],
)
def test_what_is_no_summary_is_never_kept(file, reply, rule):
    made = compressor(file, reply)
    assert made.compress(TEXT, **LIMITS) == Extractive().compress(TEXT, **LIMITS)
    assert [told for told, _ in made.told()] == [rule]
    assert Answers(file).statistics().entries == 0


def test_an_answer_that_turns_a_negation_is_refused(file):
    text = "The guest must not eat cashews at the party. " + TEXT
    made = compressor(file, "The guest must eat cashews at the party.")
    assert made.compress(text, **LIMITS) == Extractive().compress(text, **LIMITS)
    (rule, facts), *_ = made.told()
    assert (rule, facts["count"]) == ("model-flipped", 1)


def test_it_is_bounded_and_the_least_used_go(file):
    answers = Answers(file, capacity=10_000)
    for at in range(30):
        answers.put(f"key-{at}", "x" * 900)
        answers.get("key-0")
    found = answers.statistics()
    assert found.size <= 10_000
    assert answers.get("key-0")
    assert answers.get("key-29")
    assert answers.get("key-1") is None


@pytest.mark.parametrize("kind", ["corrupt", "folder", "gone"])
def test_a_cache_that_cannot_be_used_is_told_once(tmp_path, kind):
    file = tmp_path / "answers.sqlite"
    if kind == "corrupt":
        file.write_bytes(b"this is no database" * 100)
    elif kind == "folder":
        file.mkdir()
    else:
        (tmp_path / "blocked").write_text("a file where a folder should be")
        file = tmp_path / "blocked" / "answers.sqlite"
    made = compressor(file, GOOD, GOOD)
    assert made.compress(TEXT, **LIMITS) == GOOD
    assert [rule for rule, _ in made.told()] == ["model-summary", "cache-unusable"]
    assert made.compress(TEXT, **LIMITS | {"query": "other"}) == GOOD
    assert [rule for rule, _ in made.told()] == ["model-summary"]


def test_what_else_is_cached_lies_beside_the_answers_or_nowhere(tmp_path):
    named = {"CTXCORE_CACHE": str(tmp_path / "mine" / "answers.db")}
    assert answers_from_env(named).path == tmp_path / "mine" / "answers.db"
    assert cache_path("vectors.sqlite", named) == tmp_path / "mine" / "vectors.sqlite"
    assert cache_path("vectors.sqlite", {"CTXCORE_CACHE": "off"}) is None
    file = CacheFile(cache_path("vectors.sqlite", named), "CREATE TABLE IF NOT EXISTS t (a TEXT);")
    assert file.run(("SELECT a FROM t", ()), rows=("INSERT INTO t VALUES (?)", [("x",), ("y",)])) == [("x",), ("y",)]
    assert (tmp_path / "mine" / "vectors.sqlite").stat().st_mode & 0o077 == 0


def test_off_means_no_file():
    assert answers_from_env({"CTXCORE_CACHE": "off"}).path is None


def test_the_command_line_tells_and_clears(file):
    Answers(file).put("key", "text")
    environment = {**os.environ, "CTXCORE_CACHE": str(file)}

    def cache(*options: str) -> Any:
        command = [sys.executable, "-m", "ctxcore", "cache", "--json", *options]
        return json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)

    assert (cache()["entries"], cache()["misses"]) == (1, 1)
    assert cache("--clear")["entries"] == 0
