"""Chunks cover the text, cut no sentence and no code block, keep to their size, and repeat what they should."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore.compressing.sentences import split
from ctxcore.counting.tokens import counter_for
from ctxcore.errors import InputError
from ctxcore.retrieving.blocks import units
from ctxcore.retrieving.chunking import Chunk, Chunking

COUNTER = counter_for("gpt-4o")
CODE = "\n```python\ndef area(r):\n    pi = 3.14. \n\n    return pi * r\n```\n"
SENTENCES = (
    "The cache is bounded. ",
    "Dr. Smith measured e.g. 3.14 m. ",
    "Is it?\n",
    "预算按来源分配。",
    "历史最多占一半；其余给文档！",
    "one line without a stop\n",
)
PIECES = st.sampled_from(
    (*SENTENCES, CODE, "# A heading\n", "## Deeper\n", "- a row of a list\n", "| a | b |\n", "\n\n")
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


def chunks(text: str, size: int = 30, overlap: int = 0, name: str = "") -> tuple[Chunk, ...]:
    return Chunking(size, overlap).chunks(text, COUNTER, name)


@given(TEXTS | st.text(max_size=300), st.integers(1, 60), st.integers(0, 30))
@settings(max_examples=80, deadline=None)
def test_chunks_cover_the_text_within_their_size_and_begin_and_end_between_units(text, size, overlap):
    overlap = min(overlap, size - 1)
    found = chunks(text, size, overlap)
    edges = {0, len(text), *(unit.start for unit in units(text))}
    covered = 0
    for one in found:
        assert text[one.start : one.end] == one.text
        assert {one.start, one.end} <= edges
        assert one.start <= covered < one.end
        assert COUNTER.count(text[one.start : covered]) <= overlap + 1  # a whole may count for more than its parts
        assert one.tokens == COUNTER.count(one.text)
        inside = [unit for unit in units(text) if one.start <= unit.start < one.end]
        assert one.tokens <= size or (one.oversized and len(inside) == 1)
        assert one.oversized == (one.tokens > size)
        covered = one.end
    assert covered == (len(text) if text.strip() else 0)


@given(TEXTS, st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_no_code_block_and_no_sentence_is_cut(text, size):
    found = chunks(text, size)
    assert "".join(one.text for one in found).count(CODE) == text.count(CODE)
    assert all(one.text.count("```") % 2 == 0 for one in found)
    for one in found:
        for sentence in SENTENCES[:2]:
            assert one.text.count(sentence.split()[0]) == one.text.count(sentence.strip())


def test_what_is_repeated_is_the_most_that_the_overlap_allows():
    text = "".join(f"Sentence number {number} is here. " for number in range(20))
    size = COUNTER.count("Sentence number 3 is here. ")
    found = chunks(text, 5 * size, 2 * size)
    assert len(found) > 3
    for before, after in pairwise(found):
        assert split(text[after.start : before.end]) == split(before.text)[-2:]


def test_a_chunk_begins_anew_at_a_heading_and_knows_those_above_it():
    text = "# Guide\n\nIt begins.\n\n## Limits\n\n" + "The limit is four. " * 10 + "\n\n## Prices\n\nIt is free."
    found = chunks(text, 25, 8)
    assert [one.heading for one in found[2:-1]] == ["Guide › Limits"] * (len(found) - 3)
    assert len(found) > 3
    last = found[-1]
    assert (last.text, last.heading) == ("## Prices\n\nIt is free.", "Guide")
    assert not any(one.text.rstrip().endswith("## Limits") for one in found)


def test_a_sentence_may_run_over_wrapped_lines_and_a_log_may_not():
    wrapped = (
        "The committee of the whole house met at the town hall of\nKings Lynn and voted on nothing. It went home.\n"
    )
    assert [wrapped[unit.start : unit.end] for unit in units(wrapped)] == split(wrapped)
    log = "2026-01-01 10:00 started\n2026-01-01 10:01 stopped\nerror: disk full\nok\n"
    assert len(units(log)) == 4


def test_source_code_is_cut_between_definitions():
    text = "import os\n\n\ndef one():\n    a = 1\n\n    return a\n\n\ndef two():\n    return 2\n"
    found = chunks(text, 14, 0, "module.py")
    assert [one.text.strip().splitlines()[0] for one in found] == ["import os", "def one():", "def two():"]


def test_a_code_block_that_is_longer_than_a_chunk_stays_whole_and_is_said_to_be():
    block = "```\n" + "x = 1\n" * 50 + "```\n"
    found = chunks(f"Before it. \n\n{block}\nAfter it.", 20)
    assert [(one.text.strip().startswith("```"), one.oversized) for one in found] == [
        (False, False),
        (True, True),
        (False, False),
    ]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_sizes_that_cannot_be_are_refused(size, overlap):
    with pytest.raises(InputError, match="overlap"):
        Chunking(size, overlap)
