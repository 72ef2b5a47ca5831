"""Structure first: JSON, logs and tables become shorter without a loss, and JSON stays JSON at any length."""

from __future__ import annotations

import json
import re
from collections import Counter as Tally
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.compressing.extractive import Extractive
from ctxcore.compressing.json_text import Num, dump, json_value
from ctxcore.compressing.logs import fold
from ctxcore.compressing.structure import folded
from ctxcore.compressing.tables import shaped
from ctxcore.counting.tokens import counter_for

COUNTER = counter_for("gpt-4o")
WORDS = st.sampled_from(["open", "river 12", "留存率38%", "a.b", "…", "[…]", "", '"', "Anna Weber said no. " * 30])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9, 10**20), st.sampled_from([0.5, 1e300, -2.0]), WORDS)
NAMES = st.sampled_from(["id", "name", "state", "meta", "a.b", "值", "rows", "columns", "same"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=20
)
RECORDS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 999), "state": st.sampled_from(["open", None]), "meta": VALUES}),
    min_size=3,
    max_size=12,
)
JSON = st.one_of(VALUES.filter(lambda value: isinstance(value, dict | list)), RECORDS)
INDENTS = st.sampled_from([None, 2])


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value


def said(value: Any) -> tuple[set[str], set[str]]:
    """Its scalars, and the names in it; a null says nothing."""
    if isinstance(value, dict):
        found = [said(one) for one in value.values()]
        own = {part for key, one in value.items() if one is not None for part in key.split(".")}
        return set().union(*(one for one, _ in found)), own.union(*(names for _, names in found))
    if isinstance(value, list):
        found = [said(one) for one in value]
        return set().union(*(one for one, _ in found)), set().union(*(names for _, names in found))
    return (set() if value is None else {dump(value)}), set()


def unfolded(text: str) -> list[str]:
    """The lines of a folded log, in any order."""
    out: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if not (found := re.match(r"([0-9]+)× (.*)", line)):
            out.append(line)
            continue
        count, pattern = int(found[1]), found[2]
        rows = [next(lines).split(" ") if "{}" in pattern else [] for _ in range(count)]
        for row in rows:
            values = iter(row)
            out.append(re.sub(r"\{\}", lambda _, values=values: next(values), pattern))  # type: ignore[misc]
    return out


# -- nothing is lost -------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(JSON, INDENTS)
def test_folded_json_says_the_same_in_fewer_tokens(value, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    short = folded(text, COUNTER)
    assert COUNTER.count(short) <= COUNTER.count(text)
    (scalars, names), (left, _) = said(without_nulls(value)), said(json.loads(short))
    assert scalars <= left
    assert all(dump(name)[1:-1] in short for name in names)
    assert folded(short, COUNTER) == short


def test_records_become_a_table_and_every_number_stays():
    rows = [{"id": at, "state": "open", "note": None, "by": {"name": f"ann{at}", "age": 30 + at}} for at in range(40)]
    short = folded(json.dumps(rows, indent=2), COUNTER)
    assert json.loads(short) == {
        "same": {"state": "open"},
        "columns": ["id", "by.name", "by.age"],
        "rows": [[at, f"ann{at}", 30 + at] for at in range(40)],
    }
    assert COUNTER.count(short) < 0.3 * COUNTER.count(json.dumps(rows, indent=2))


def test_lists_of_records_share_one_head():
    legs = [[{"from": "SEA", "to": "JFK", "no": at}, {"from": "JFK", "to": "BOS", "no": at + 1}] for at in range(5)]
    found = shaped(json.loads(json.dumps(legs)))
    assert found["rows"][4] == [["SEA", "JFK", 4], ["JFK", "BOS", 5]]


def test_a_number_stays_as_it_was_typed():
    text = '[{"price": 1.10, "id": 123456789012345678901234567890, "x": 1e5, "z": -0}]'
    assert dump(json_value(text)) == text.replace(" ", "").replace(',"', ',"')
    assert isinstance(json_value(text)[0]["price"], Num)


def test_what_is_no_clean_json_is_left_alone():
    for text in ('{"a": 1, "a": 2}', "[NaN]", '{"a": 1', "[" * 5_000, "[…] and more", '["x"] y'):
        assert json_value(text) is None


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "2026-05-01 10:{}:{} INFO took {}ms",
                "2026-05-01 10:{}:{} WARN id={} of ab{}f retried",
                "  step {}/{}: 完成{}%",
                "",
                "done",
            ]
        ),
        min_size=6,
        max_size=60,
    ),
    st.randoms(use_true_random=False),
)
def test_a_folded_log_can_be_unfolded(patterns, rng):
    lines = [re.sub(r"\{\}", lambda _: str(rng.randint(0, 99)), pattern) for pattern in patterns]
    text = "\n".join(lines)
    short = fold(text)
    assert Tally(filter(str.strip, unfolded(short))) == Tally(filter(str.strip, lines))
    assert len(short) <= len(text)


def test_a_repeated_head_of_a_table_goes():
    block = "| name     | hits |\n|----------|------|\n| river    | 12   |\n| lake     | 38   |\n"
    text = "First half.\n\n" + block + "\nSecond half.\n\n" + block.replace("12", "14") + "The end of it. " * 10
    short = folded(text, COUNTER)
    assert short.count("| name |") == 1
    assert all(number in short for number in ("12", "14", "38"))


# -- JSON stays JSON -------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(JSON, INDENTS, st.integers(0, 120), st.sampled_from(["", "river 12", "留存率"]), st.sampled_from(["", "tool"]))
def test_an_excerpt_of_json_is_json_within_the_limit(value, indent, room, query, source):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    short = Extractive().compress(text, query=query, max_tokens=room, counter=COUNTER, source=source)
    assert COUNTER.count(short) <= room
    assert COUNTER.count(short) <= COUNTER.count(text)
    if short:
        json.loads(short)
    else:
        assert room < 8


def test_an_excerpt_keeps_the_record_that_is_asked_for():
    rows = [
        {"order": 1000 + at, "customer": f"customer {at}", "note": f"parcel {at} left the depot"} for at in range(200)
    ]
    rows[137]["note"] = "refund of 250 euros was refused"
    short = Extractive().compress(
        json.dumps(rows), query="Which refund was refused?", max_tokens=200, counter=COUNTER, source="tool"
    )
    found = json.loads(short)
    assert [1137, "customer 137", "refund of 250 euros was refused"] in found["rows"]
    assert found["rows"][-1] == "[…]"


def test_sentences_of_a_long_member_are_chosen():
    page = "Nothing happened here. " * 60 + "The refund limit is 250 euros. " + "Nothing else. " * 60
    text = json.dumps({"url": "https://example.com/a", "text": page})
    found = json.loads(Extractive().compress(text, query="What is the refund limit?", max_tokens=90, counter=COUNTER))
    assert "The refund limit is 250 euros." in found["text"]
    assert "[…]" in found["text"]


def test_a_log_that_is_too_long_is_folded_and_cut():
    lines = [f"2026-05-01 10:{at // 60:02}:{at % 60:02} INFO GET /users/{at * 7} took {at}ms" for at in range(600)]
    lines[333] = "2026-05-01 10:05:33 ERROR upstream refused the connection"
    text = "\n".join(lines)
    short = Extractive().compress(
        text, query="Why was the connection refused?", max_tokens=600, counter=COUNTER, source="tool"
    )
    assert "upstream refused" in short
    assert COUNTER.count(short) <= 600
    assert len(re.findall("[0-9]+", short)) > 150
