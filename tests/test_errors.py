"""An error is a code and its facts: each is said in both languages, in one line, and none is a bare sentence."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from ctxcore.cli.main import main
from ctxcore.errors import CtxError, InputError, StageError, WhichConversationError
from ctxcore.linting.finding import RULES
from ctxcore.model.replies import Kind, ModelError
from ctxcore.words import Phrase, sentence

ROOT = Path(__file__).parents[1]
FILES = [
    ROOT / "app.py",
    ROOT / "server.py",
    *(one for part in ("ctxcore", "ui", "pages") for one in (ROOT / part).rglob("*.py")),
]
TABLES = [
    ROOT / "ctxcore" / "words" / "errors.json",
    ROOT / "ctxcore" / "words" / "lint.json",
    ROOT / "ui" / "words" / "errors.json",
]
WORDS = {code: said for table in TABLES for code, said in json.loads(table.read_text("utf-8")).items()}
OWN = {"ModelError": {"kind", "host"}, "WhichConversationError": {"conversations"}}  # parameters that are no facts


@cache
def trees() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text("utf-8")) for file in sorted(FILES)}


@cache
def kinds() -> frozenset[str]:
    """The names of CtxError and all that come of it."""
    found = {"CtxError"}
    classes = [node for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while more := {one.name for one in classes if {ast.unparse(base) for base in one.bases} & found} - found:
        found |= more
    return frozenset(found)


def calls(names: frozenset[str]) -> Iterator[tuple[str, str, ast.Call]]:
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in names:
                yield f"{file.relative_to(ROOT)}:{node.lineno}", name, node


def said() -> Iterator[tuple[str, str, ast.expr, set[str]]]:
    """Place, name, the code as it is written, and the facts; None stands for facts that are not known by name."""
    with_code = kinds() - {"StageError", "NotEmbeddedError"}  # which have words of their own
    for place, name, call in calls(with_code | {"Phrase"}):
        code = call.args[1 if name == "ModelError" else 0]
        yield place, name, code, {word.arg or "**" for word in call.keywords} - OWN.get(name, set())


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def is_code(code: ast.expr, place: str) -> bool:
    """A literal that has words, or the beginning of one (`f"remedy-{kind}"`); where errors are made, what is given."""
    if isinstance(code, ast.Constant):
        return code.value in WORDS
    if isinstance(code, ast.JoinedStr):
        return isinstance(first := code.values[0], ast.Constant) and any(one.startswith(first.value) for one in WORDS)
    return place.startswith(("ctxcore/errors.py:", "ctxcore/model/replies.py:"))


def test_no_error_is_raised_with_a_bare_sentence():
    assert [f"{place}: {ast.unparse(code)}" for place, _, code, _ in said() if not is_code(code, place)] == []


def test_each_error_gives_the_facts_that_its_sentence_names():
    wrong = {
        place: (code.value, facts)
        for place, _, code, facts in said()
        if isinstance(code, ast.Constant)
        and code.value in WORDS
        and not (
            facts == fields(WORDS[code.value]["en"])
            or ("**" in facts and facts - {"**"} <= fields(WORDS[code.value]["en"]))
        )
    }
    assert wrong == {}


def test_both_languages_have_the_same_errors_with_the_same_facts():
    for code, words in WORDS.items():
        assert list(words) == ["en", "zh"], code
        assert fields(words["en"]) == fields(words["zh"]), code
        assert re.search("[\u4e00-\u9fff]", words["zh"]) or not re.search(
            "[a-z]{2}", re.sub(r"\{.*?\}|--\w+", "", words["en"])
        ), code


def test_every_sentence_of_an_error_is_used():
    written = {node.value for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    made = {f"remedy-{kind}" for kind in Kind.__args__} | {f"lint-{rule}" for rule in RULES}
    assert WORDS.keys() - written - made == set()


def test_an_error_is_said_in_chinese_with_all_that_it_quotes():
    whole = InputError(
        "in-place",
        where="a.json",
        told=InputError("field-kind", where="ids", kind=Phrase("kind-text"), wanted=Phrase("wanted-ids")).told,
    )
    assert str(whole) == "a.json: ids is a text: give a list with one id a message, or leave it out."
    assert whole.said("zh") == "a.json：ids 是文本：请给出每条消息一个 id 的列表，或去掉它。"
    late = ModelError("timeout", "model-late", host="api.example", seconds=2.0)
    assert str(late).startswith("api.example: did not answer within 2 s. ")
    assert late.said("zh") == "api.example：在 2 秒内没有回答。请重试、允许更长时间，或少发送一些。"


def test_a_decision_that_quotes_an_error_quotes_it_in_the_reader_s_language():
    facts = {"service": "x", "fault": "timeout", "says": Phrase("service-late", seconds=2)}
    assert "它在 2 秒内没有回答" in sentence("retriever-failed", facts, "zh")
    assert json.loads(json.dumps(facts))["says"] == "It did not answer within 2 s."


def test_lists_are_written_as_the_language_writes_them():
    assert str(InputError("no-system", name="x", there=["a", "b"])).endswith("there are a, b.")
    assert InputError("no-system", name="x", there=["a", "b"]).said("zh").endswith("现有：a、b。")
    assert InputError("no-limit", name="x", there=[]).said("zh").endswith("此系统有：无。")


def test_somebody_else_s_error_is_its_own_sentence():
    assert (
        str(CtxError("My stage needs {braces}."))
        == CtxError("My stage needs {braces}.").said("zh")
        == "My stage needs {braces}."
    )


@pytest.mark.parametrize(
    "error",
    [
        InputError("missing-file", path="a\nb"),
        WhichConversationError("which-conversation", [("hello", 2)], what="a", count=1, listed="0"),
        ModelError("server", "model-status", host="h", status=500),
        StageError("select", ValueError("no"), [], "x.py line 1"),
    ],
)
def test_an_error_crosses_processes_whole_and_is_one_line(error):
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.said("zh")) == (type(error), str(error), error.said("zh"))
    assert len(str(error).splitlines()) == len(error.said("zh").splitlines()) == 1


def test_the_command_line_says_errors_in_the_language_that_is_asked_for(capsys):
    assert main(["run", "nowhere.json", "--lang", "zh"]) == 2
    assert capsys.readouterr().err == "ctxcore: nowhere.json 不存在：请检查路径。\n"
