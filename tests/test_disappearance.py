"""The order of disappearance: the window shrinks step by step, and who leaves first is what the system promises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore import Scenario, build
from tests.build import assistant, calls, document, record, result, scenario, system, talk, tool_result, user, words

ALL = {
    "documents": [document("doc-01", words(6, "pond"), 0.9), document("doc-02", words(6, "pool"), 0.3)],
    "tool_results": [tool_result("tool-01", words(6, "gauge"), recent=True)],
    "state": {"id": "state-01", "value": "Step 3 of 5: measure the river. " * 4},
    "notes": [record("note-01", words(6, "remark"))],
}
WHOLE = {"select.admit_compressed": "false"}  # nothing is compressed, so that each leaves at once


def leaving(source: Scenario, windows: Sequence[int], **more: Any) -> list[str]:
    """Ids in the order in which they leave as the window shrinks; those that leave together as they stand."""
    order: list[str] = []
    for present in payloads(source, windows, **more):
        order += [key for key in ids_of(source) if key not in present and key not in order]
    return order


def payloads(source: Scenario, windows: Sequence[int], **more: Any) -> Iterator[set[str]]:
    for window in windows:
        yield {item.id for item in build(source, window=window, reserve=0, **more).final.items}


def ids_of(source: Scenario) -> list[str]:
    return [key for key, _ in source.places()]


def test_gssc_old_turns_leave_before_recent_ones() -> None:
    source = scenario([system(), *talk(6), user()])
    order = leaving(source, range(1_000, 30, -10), options=WHOLE)
    turns = [key for key in order if key.startswith("turn-")]
    assert turns == [f"turn-{at:04d}" for at in range(2, 14)]


def test_gssc_history_then_documents_then_tools_then_notes_then_state() -> None:
    source = scenario([system(), *talk(3), user()], **ALL)
    limits = dict.fromkeys(("state", "notes", "tools", "docs", "history"), "100%") | {"recent": 1}
    order = leaving(source, range(1_400, 30, -5), limits=limits, options=WHOLE)
    kinds = [key.split("-")[0] for key in order]
    assert [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]] == ["turn", "doc", "tool", "note", "state"]
    assert order.index("doc-02") < order.index("doc-01")


@pytest.mark.parametrize("name", ["gssc", "compiler", "layered"])
def test_system_text_and_question_never_leave(name: str) -> None:
    source = scenario([system(), *talk(4), user("And the last question?")], **ALL)
    order = leaving(source, (800, 400, 200, 100, 50, 25, 10, 3, 1), system=name)
    assert "system-01" not in order
    assert "turn-0010" not in order


@pytest.mark.parametrize("name", ["gssc", "compiler", "layered"])
def test_a_pin_never_leaves(name: str) -> None:
    source = scenario([system(), *talk(4), user()], **ALL)
    order = leaving(source, (900, 500, 250, 120, 60, 20, 1), system=name, pins=("doc-02", "turn-0003", "note-01"))
    assert not {"doc-02", "turn-0003", "note-01"} & set(order)


@pytest.mark.parametrize("name", ["gssc", "compiler", "layered"])
def test_a_call_leaves_with_its_results(name: str) -> None:
    source = scenario([*talk(2), calls("c1", "c2"), result("c1", words(5)), result("c2", words(4)), *talk(3), user()])
    group = {"turn-0005", "turn-0006", "turn-0007"}
    for present in payloads(source, range(700, 20, -20), system=name):
        assert group & present in (set(), group)


def test_compiler_truncate_loses_the_oldest_first() -> None:
    source = scenario([*talk(8), user()])
    options = {"conversation-compactor.overflow": "truncate", "conversation-compactor.preserve_recent": 2}
    order = leaving(source, range(2_000, 250, -25), system="compiler", options=options)
    assert order == sorted(order)
    assert len(order) > 8


def test_compiler_conversation_leaves_before_documents_and_the_summary_last() -> None:
    source = scenario(
        [system(), user("Where is the pond?"), assistant("There."), *talk(4), user("How wide is the pond?")], **ALL
    )
    limits = dict.fromkeys(("system", "history", "retrieval", "tools"), "100%")
    options = {"conversation-compactor.hold_room": "false", "conversation-compactor.compress_recent": "false"}
    order = leaving(source, range(900, 40, -5), system="compiler", limits=limits, options=options)
    kinds = [key.split("-")[0] for key in order if key.split("-")[0] in ("turn", "tool", "note", "state")]
    assert [kind for at, kind in enumerate(kinds) if kind not in kinds[:at]] == ["turn", "tool", "note", "state"]


sizes = st.lists(st.integers(1, 40), min_size=1, max_size=8)


def documents(tokens: Sequence[int]) -> Scenario:
    """Documents of so many tokens each, the first the most relevant."""
    made = [document(f"doc-{at:02d}", " a" * size, 1 - at / 100) for at, size in enumerate(tokens)]
    return scenario([user("a")], documents=made)


@given(sizes, st.integers(0, 120), st.integers(0, 40))
@settings(max_examples=60, deadline=None)
def test_to_stop_at_the_first_misfit_is_monotone(tokens: list[int], cap: int, more: int) -> None:
    """With a larger limit nothing that was kept is lost."""
    source, options = documents(tokens), WHOLE | {"select.on_misfit": "stop"}
    small, large = (
        {item.id for item in build(source, limits={"docs": limit}, options=options).final.items}
        for limit in (cap, cap + more)
    )
    assert small <= large


def test_to_skip_a_misfit_is_not_monotone_and_that_is_worth_knowing() -> None:
    """Documents of 1, 9, 20, 1 tokens: at 2 the first and the last are kept, at 30 the last has no room left."""
    source = documents((1, 9, 20, 1))
    kept = [
        {item.id for item in build(source, limits={"docs": cap}, options=WHOLE).final.items if item.source == "doc"}
        for cap in (2, 30)
    ]
    assert kept == [{"doc-00", "doc-03"}, {"doc-00", "doc-01", "doc-02"}]
