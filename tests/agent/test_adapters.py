"""Result adapters: JSON, HTML and plain text in one shape (c9)."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from ctxcore.agent.adapters import adapt, adapted, format_of

HITS = {
    "query": "plans",
    "results": [
        {"title": "Plans", "url": "https://a.example/p", "date": "2026-02-11", "snippet": "Team 31 euros."},
        {"title": "Cost", "url": "https://a.example/c", "snippet": "775 euros a month.", "tags": ["price", "list"]},
    ],
}
PAGE = """<!DOCTYPE html><html><head><title>One plan &amp; price</title><link rel="canonical" href="https://p.example/">
<script>track('<p>no</p>')</script></head><body><nav><a href="/x">Home</a></nav>
<h1>Price</h1><p>19 € per agent<br>and month
<table><tr><td>Storage<td>100 GB</table><footer>imprint</footer></body>"""


def test_c9_json_hits_become_one_line_each() -> None:
    assert adapt(json.dumps(HITS)).splitlines() == [
        "query: plans",
        "Plans (date: 2026-02-11; https://a.example/p): Team 31 euros.",
        "Cost (https://a.example/c): 775 euros a month.",
        "results[2].tags: price, list",
    ]


def test_c9_an_object_gives_title_summary_fields_and_link() -> None:
    raw = {
        "name": "Rhine",
        "description": "A river.",
        "length": 1233,
        "mouth": {"sea": "North Sea"},
        "url": "https://r.example",
    }
    assert adapt(json.dumps(raw)).splitlines() == [
        "title: Rhine",
        "summary: A river.",
        "length: 1233",
        "mouth.sea: North Sea",
        "link: https://r.example",
    ]


def test_c9_html_loses_its_tags_scripts_and_menus() -> None:
    found = adapted(PAGE)
    assert (found.format, found.title, found.link) == ("html", "One plan & price", "https://p.example/")
    assert found.summary.splitlines() == ["Price", "19 € per agent", "and month", "Storage; 100 GB"]


def test_c9_plain_text_keeps_its_words() -> None:
    text = "Tidewell Desk: prices\nHarbour 24 dollars.\nSee https://t.example/prices for more."
    found = adapted(text)
    assert (found.format, found.title, found.link) == ("text", "Tidewell Desk: prices", "https://t.example/prices")
    assert found.summary == "Harbour 24 dollars.\nSee https://t.example/prices for more."
    assert adapt("877.5") == "877.5"
    assert adapt("") == ""


def test_the_format_of_a_result() -> None:
    assert [format_of(raw) for raw in ('{"a": 1}', "[1, 2]", PAGE, "3 < 4", "<not a page", "12")] == [
        "json",
        "json",
        "html",
        "text",
        "text",
        "text",
    ]


def test_broken_html_and_deep_json_are_read_as_far_as_they_go() -> None:
    assert "left" in adapt("<html><body><p>left <b>open <script>var x = '")
    deep: object = "core"
    for _ in range(60):
        deep = {"in": deep}
    assert "core" in adapt(json.dumps(deep))
    assert adapt("[" * 100_000) == "[" * 100_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda x: st.lists(x) | st.dictionaries(st.text(max_size=6), x),
)


@given(JSON)
def test_adapting_json_never_raises(value: object) -> None:
    adapt(json.dumps(value))


@given(st.text("<>/abp!-= \n\"'&;", max_size=80))
def test_adapting_text_never_raises(text: str) -> None:
    adapt("<html>" + text)
    adapt(text)
