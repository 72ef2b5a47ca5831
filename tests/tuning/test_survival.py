"""Survival: at every budget of an axis, what is in is what a build at that budget keeps."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.conversation import conversation
from ctxcore import Scenario, build
from ctxcore.errors import BudgetError
from ctxcore.settings import Settings, settings_for
from ctxcore.tuning.axis import Axis, budgets_of, moved
from ctxcore.tuning.survival import Survival, spans_between, survival
from tests.build import assistant, calls, document, image, record, result, scenario, system, talk, user, words
from tests.strategies import conversations, records

MIXED = scenario(
    [system(), *talk(5), calls("a"), result("a", words(30)), assistant("So it is."), *talk(3, 1), user()],
    documents=[document(f"doc-{n:02d}", words(4 + 9 * (n % 3), f"hill{n}"), 1 - n / 10) for n in range(5)],
    notes=[record("note-01", words(3, "note")), record("note-02", "Remember the river.")],
)


def long(*values: Any) -> Any:
    """One of a kind of which another runs in the default suite."""
    return pytest.param(*values, marks=pytest.mark.deep)


def asked(**given: Any) -> Settings:
    return settings_for(MIXED, {"window": 1_200, "reserve": 100, **given})


def inside(found: Survival, at: int) -> set[str]:
    return {life.item.id for life in found.lives if life.at(at)}


def dense(source: Scenario, wanted: Settings, found: Survival, at: int) -> set[str]:
    known = {life.item.id for life in found.lives}
    return {item.id for item in build(source, moved(wanted, found.over, at)).final.items} & known


@pytest.mark.parametrize("over", ["window", "docs", "notes", *(long(over) for over in ("recent", "history", "tools"))])
def test_the_axis_equals_a_dense_sweep(over: str) -> None:
    wanted = asked(limits={"docs": "30%", "tools": 300})
    found = survival(MIXED, wanted, over)
    assert found.unproven == 0
    assert len(found.breakpoints) > 1
    for at in range(found.start, min(found.stop, 1_500) + 1, 1 if over == "notes" else 3 if over == "docs" else 7):
        assert inside(found, at) == dense(MIXED, wanted, found, at), at


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("repaired", {}),
        long("repaired", {"select.on_misfit": "stop"}),
        long("repaired", {"select.whole_groups": "off"}),
        ("article", {}),
        ("article", {"select.on_misfit": "stop"}),
        ("article", {"select.whole_groups": "off"}),
    ],
)
def test_every_option_of_select_is_followed(variant: str, options: dict[str, str]) -> None:
    wanted = asked(variant=variant, options=options, limits={"docs": 200, "recent": 150, "history": 300})
    for over in ("window", "history"):
        found = survival(MIXED, wanted, over)
        for at in range(found.start, min(found.stop, 2_000), 37):
            assert inside(found, at) == dense(MIXED, wanted, found, at), (over, at)


@settings(max_examples=10, deadline=None)
@given(conversations(most=7), records(), st.sampled_from(("window", "docs", "recent", "tools", "notes")), st.data())
def test_it_holds_for_any_scenario(messages: list[Any], sources: Any, over: str, data: st.DataObject) -> None:
    source = scenario(messages, **sources)
    limits = {"docs": data.draw(st.sampled_from(("25%", "300"))), "recent": "40%"}
    wanted = settings_for(source, {"window": 1_500, "reserve": 0, "limits": limits, "model": "gpt-4o"})
    found = survival(source, wanted, over, tries=50)
    if found.unproven:  # it says so itself
        return
    near = {at + step for point in found.breakpoints[:12] for at in [point.at] for step in (-1, 0)}
    points = data.draw(st.lists(st.integers(found.start, found.stop), min_size=5, max_size=5))
    for at in near | set(points):
        assert inside(found, at) == dense(source, wanted, found, at), at


@settings(deadline=None)
@given(st.integers(1, 60), st.sampled_from((None, 0, 17)), st.sampled_from(("gssc", "compiler", "layered")), st.data())
def test_all_budgets_at_once_are_those_made_one_by_one(step: int, reserve: int | None, name: str, data: Any) -> None:
    typed = {"gssc": {"docs": "17.3%"}, "compiler": {"history": "33%"}, "layered": {"recall": "12.5%"}}[name]
    wanted = settings_for(MIXED, {"system": name, "reserve": reserve, "limits": typed})
    for over in ("window", next(iter(typed))):
        axis = Axis(MIXED, wanted, over, 0, 40 * step)
        budgets = budgets_of(axis)
        for at in data.draw(st.lists(st.integers(0, axis.stop), min_size=3, max_size=3)):
            one = axis.budget(at)
            assert (budgets.rooms[at], budgets.scale[at]) == (one.room, one.scale)
            assert {limit: caps[at] for limit, caps in budgets.caps.items()} == one.caps()


def test_more_budget_can_cost_an_item_its_place() -> None:
    """The large document enters where two small ones were: the flip is marked."""
    small = [document("small-1", words(3, "a"), 0.5), document("small-2", words(3, "b"), 0.4)]
    source = scenario([user()], documents=[document("large", words(12, "c"), 0.9), *small])
    wanted = settings_for(source, {"window": 4_000, "options": {"select.admit_compressed": "off"}})
    found = survival(source, wanted, "docs")
    flips = [point for point in found.breakpoints if point.flips]
    assert [set(point.leaves) for point in flips] == [{"small-1", "small-2"}] or flips
    large = found.life("large")
    assert large is not None
    assert large.next_in(0) == flips[0].at


def test_a_picture_that_is_told_by_its_caption_is_in() -> None:
    picture = image("Look at this.", detail="high")
    picture["content"][1]["caption"] = "A river between two hills."
    source = scenario([user(), assistant(), picture, *talk(3), user()])
    wanted = settings_for(source, {"window": 900, "reserve": 0})
    for over in ("window", "recent", "history"):
        found = survival(source, wanted, over)
        told = next(life for life in found.lives if life.item.is_media)
        assert over == "history" or told.short
        for at in range(found.start, min(found.stop, 1_200), 17):
            assert inside(found, at) == dense(source, wanted, found, at), (over, at)


def test_a_limit_that_is_none_is_an_error() -> None:
    with pytest.raises(BudgetError, match="docs"):
        survival(MIXED, asked(), "everything")


def test_between_two_points_a_span_goes_on() -> None:
    assert spans_between([(0, False), (5, True), (9, True), (12, False), (20, True)], 30) == ((5, 12), (20, 31))


@pytest.mark.parametrize(("name", "over"), [long("compiler", "history"), ("layered", "recall")])
def test_where_the_pipeline_is_run_every_budget_is_tried(name: str, over: str) -> None:
    wanted = settings_for(MIXED, {"system": name, "window": 320, "reserve": 20})
    found = survival(MIXED, wanted, over)
    assert (found.unproven, found.filled) == (0, False)
    for at in range(found.start, found.stop, 29):
        assert inside(found, at) == dense(MIXED, wanted, found, at), at
    quick = survival(MIXED, wanted, over, tries=5)
    assert quick.unproven > 0


@pytest.mark.deep
@pytest.mark.parametrize("name", ["gssc", "compiler", "layered"])
def test_the_sketch_of_a_thousand_messages_takes_less_than_a_second(name: str) -> None:
    """Of processor time: a machine that is busy elsewhere says nothing about it. Texts are counted already."""
    source = scenario(conversation(1_000, 1))
    wanted = settings_for(source, {"system": name, "window": 128_000})
    build(source, wanted)
    began = time.process_time()
    found = survival(source, wanted, "window", tries=8, sketched=True, within=384_000)
    assert time.process_time() - began < 1.0
    assert found.breakpoints


def test_a_sketch_tells_budgets_apart_by_its_step() -> None:
    source = scenario([system(), *talk(60, 30), user()])
    wanted = settings_for(source, {"window": 3_000, "reserve": 0, "options": {"construct.safety_net": "off"}})
    exact = survival(source, wanted, "window", within=40_000)
    rough = survival(source, wanted, "window", within=40_000, sketched=True)
    assert (exact.step, rough.step > 1) == (1, True)
    for at in range(rough.start, rough.stop, rough.step):
        assert inside(rough, at) == inside(exact, at), at
    assert [life.spans[-1:] for life in rough.lives if life.at(rough.stop)] != []


def test_so_many_builds_and_no_more_and_the_widest_gap_first() -> None:
    wanted = settings_for(MIXED, {"system": "compiler", "window": 4_000})
    few, more = (survival(MIXED, wanted, "window", tries=tries, within=8_000) for tries in (8, 40))
    assert few.stop - few.start + 1 - few.unproven <= 8
    assert 8 < more.stop - more.start + 1 - more.unproven <= 40
    assert len(more.breakpoints) >= len(few.breakpoints)


def test_what_is_muted_never_enters() -> None:
    given = scenario([*talk(6), user("Well?")])
    asked = Settings(window=4_000, mutes=("turn-0003",))
    found = survival(given, asked, "window", within=1_500)
    assert found.filled
    assert {life.item.id for life in found.lives if not life.spans} == {"turn-0003"}
    for at in range(0, 1_500, 50):
        there = {item.id for item in build(given, moved(asked, "window", at)).final.items}
        assert {life.item.id for life in found.lives if life.at(at)} == there
