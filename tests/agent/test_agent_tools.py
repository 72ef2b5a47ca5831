"""The tools of the agent: arithmetic without eval, search over records, and what a failing tool says (c11)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcore import Record
from ctxcore.agent.tools import Tool, argument_of, calculator, one_argument, perform, search

RECORDS = (
    Record(
        "doc-01", "The Rhine is 400 metres wide at Cologne.", "Rhine", extra={"link": "https://rivers.example/rhine"}
    ),
    Record("doc-02", "The Elbe flows through Dresden.", "Elbe"),
    Record("doc-03", "莱茵河在科隆宽 400 米。", "莱茵河"),
)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("40 * (9,800 + 1,150) + 60 * 40 * 64", "591600"),
        ("12 % 5", "2"),
        ("15%", "0.15"),
        ("200 * 15%", "30"),
        ("(2 + 3)% * 100", "5"),
        ("2 ^ 10", "1024"),
        ("2 ** -1", "0.5"),
        ("7 // 2 - 1", "2"),
        ("−3 × 4 ÷ 2", "-6"),
        ("１２＋３", "15"),
        ("0.1 + 0.2", "0.3"),
        ("7 =", "7"),
    ],
)
def test_c11_the_calculator_reckons_as_people_write(expression: str, value: str) -> None:
    assert calculator().run(expression) == value


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        ("1 / 0", "division by zero"),
        ("2 ** 1000", "exponent"),
        ("9 ** 9 ** 9", "exponent"),
        ("10 ** 60 * 10 ** 60", "too large"),
        ("1e308 * 10", "too large"),
        ("(-8) ** 0.5", "no real number"),
        ("__import__('os').system('ls')", "not known"),
        ("a + 1", "'a' is not known"),
        ("[x for x in (1, 2)]", "no arithmetic"),
        ("'2' * 3", "no number"),
        ("True + 1", "no number"),
        ("3 +", "no arithmetic"),
        ("", "empty"),
        ("1" * 600, "at most 500"),
        ("(" * 400 + "1" + ")" * 99, "no arithmetic"),
    ],
)
def test_c11_what_is_no_arithmetic_is_an_observation(expression: str, says: str) -> None:
    answer = calculator().run(expression)
    assert answer.startswith("error: ")
    assert says in answer


@given(st.text("0123456789.+-*/%()^, eE_abc×", max_size=40))
def test_the_calculator_never_raises(expression: str) -> None:
    assert calculator().run(expression)


def test_c11_search_answers_title_summary_and_link() -> None:
    answer = json.loads(search(RECORDS).run("how wide is the Rhine"))
    assert answer["results"][0] == {
        "title": "Rhine",
        "summary": "The Rhine is 400 metres wide at Cologne.",
        "link": "https://rivers.example/rhine",
    }
    assert answer["total"] == len(answer["results"])


def test_search_finds_chinese_and_gives_the_id_where_there_is_no_link() -> None:
    answer = json.loads(search(RECORDS, top=1).run("莱茵河 宽"))
    assert [hit["link"] for hit in answer["results"]] == ["doc-03"]
    assert json.loads(search(RECORDS).run("volcano"))["results"] == []
    assert "error" in json.loads(search(RECORDS).run("  "))


def test_a_tool_that_is_not_there_or_fails_says_so() -> None:
    def fail(_: str) -> str:
        raise ValueError("no route")

    tools = (calculator(), Tool("ping", "Pings", one_argument("host", "a name"), fail))
    assert "there are calculator, ping" in perform(tools, "telnet", "{}")
    assert perform(tools, "ping", '{"host": "x"}') == "error: ping failed with ValueError: no route"
    assert perform(tools, "calculator", '{"expression": "1 + 1"}') == "2"


def test_the_one_argument_of_a_call_however_it_is_written() -> None:
    assert argument_of('{"query": "a b"}') == "a b"
    assert argument_of("a b") == "a b"
    assert argument_of('{"n": 3}') == "3"
    assert argument_of("{}") == ""
    assert calculator().definition["function"]["name"] == "calculator"
