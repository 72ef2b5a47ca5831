"""Tables as CSV: what a spreadsheet would take for a formula stays text, and numbers stay numbers."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ui.exports import csv_of

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://a.b")', "＝1", "\n=1")


def rows(table: pd.DataFrame) -> list[list[str]]:
    return list(csv.reader(io.StringIO(csv_of(table).decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_and_no_heading_begins_a_formula(formula):
    head, *body = rows(pd.DataFrame({formula: [formula, "plain"]}))
    assert head == [f"'{formula}"]
    assert body == [[f"'{formula}"], ["plain"]]


def test_numbers_stay_numbers_and_gaps_stay_gaps():
    table = pd.DataFrame({"n": [-3, 4], "x": [-0.5, None], "text": ["–", None]})
    assert rows(table) == [["n", "x", "text"], ["-3", "-0.5", "–"], ["4", "", ""]]


@settings(max_examples=25)
@given(st.lists(st.text(), min_size=1, max_size=5))
def test_whatever_stands_in_a_cell_comes_back_but_for_the_mark(texts):
    found = [row[0] if row else "" for row in rows(pd.DataFrame({"text": texts}))[1:]]
    if any(set(text) & set("\r\0") for text in texts):
        return
    assert [cell.removeprefix("'") for cell in found] == [text.removeprefix("'") for text in texts]
