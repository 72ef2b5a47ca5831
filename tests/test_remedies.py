"""The smallest change that brings a text back: proven against builds at every single place."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore import Scenario, Trace, build
from ctxcore.errors import CtxError
from ctxcore.explaining.budget_moves import Move
from ctxcore.explaining.moves import away, back
from ctxcore.explaining.probing import QUICK, Axis, Care, first_where
from ctxcore.explaining.remedies import each_remedy, keeps, loses, losses, remedies
from ctxcore.explaining.surviving import pieces
from ctxcore.explaining.tracked import Comparisons, Root, Tracked
from tests import strategies
from tests.build import (
    assistant,
    document,
    ids,
    problems,
    result,
    rules,
    scenario,
    system,
    talk,
    tool_result,
    user,
    words,
)
from tests.build import calls as called
from tests.test_why import NEEDLE, buried, followed
from ui.why.as_found import AsFound

SYSTEMS = ("gssc", "compiler", "layered")


def dense(source: Scenario, move: Move, wanted: Any, most: int) -> int | None:
    """The first place that will do, by building at each."""
    for place in move.places[:most]:
        try:
            if wanted(build(source, move.at(place))):
                return place
        except CtxError:
            continue
    return None


def searched(source: Scenario, move: Move, text: str, wanted: Any, most: int, kept: bool) -> int | None:
    found = first_where(Axis(source, move.at, move.places[:most]), text, wanted, kept=kept)
    assert found is None or found.proven
    return found.place if found else None


# -- exactly the smallest ----------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_move_finds_what_a_dense_scan_finds(name: str) -> None:
    source = scenario(
        buried(3), documents=[document(f"doc-0{at}", words(3 + 4 * at, f"pond{at}"), 1 - at / 9) for at in range(3)]
    )
    options = {"conversation-compactor.overflow": "truncate"} if name == "compiler" else {}
    built = (build(source, system=name, window=at, reserve=60, options=options) for at in (500, 400, 300, 240, 200))
    trace = next(one for one in built if one.fits and one.story(NEEDLE).fate != "kept")
    told = trace.story(NEEDLE)
    moves = [move for move in back(trace, told) if len(move.places) > 1]
    assert {"window", "limit", "reserve"} <= {move.rule for move in moves}
    for move in moves:
        most = 250 if move.rule == "window" else 60
        wanted = lambda one: keeps(one, NEEDLE)  # noqa: E731
        assert searched(source, move, NEEDLE, wanted, most, True) == dense(source, move, wanted, most), move.rule


@given(
    strategies.scenarios(),
    strategies.settings(SYSTEMS),
    st.sampled_from(("38%", "42", "river number 7 ", "ok")),
    st.data(),
)
@settings(max_examples=10, deadline=None)
def test_the_search_skips_no_place(data: dict[str, Any], asked: dict[str, Any], text: str, draw: st.DataObject) -> None:
    source = Scenario.from_json(data)
    trace = build(source, **asked)
    told = trace.story(text)
    if not told.found or trace.budget.room <= 0:
        return
    kept = told.fate != "kept"
    wanted = (lambda one: keeps(one, text)) if kept else (lambda one: loses(one, text))
    moves = [move for move in (back if kept else away)(trace, told) if len(move.places)]
    move = draw.draw(st.sampled_from(moves))
    assert searched(source, move, text, wanted, 60, kept) == dense(source, move, wanted, 60)


def test_a_smaller_limit_than_halving_would_find() -> None:
    """The needle fits alone, then the better document takes its room, then both fit."""
    better, needle = document("doc-01", words(6), 0.9), document("doc-02", f"{NEEDLE} {words(2)}", 0.5)
    source = scenario([user("x")], documents=[better, needle])
    trace = build(source, window=4_000, limits={"docs": 5}, options={"select.admit_compressed": "false"})
    size = {item.id: item.tokens for item in trace.inputs}
    limit = next(one for one in remedies(source, trace, trace.story(NEEDLE)) if one.rule == "remedy-limit")
    assert limit.argv == ("--limit", f"docs={size['doc-02']}")
    kept = [
        at for at in range(5, 200) if keeps(build(source, replace(trace.settings, limits=(("docs", str(at)),))), NEEDLE)
    ]
    assert kept == [*range(size["doc-02"], size["doc-01"]), *range(size["doc-01"] + size["doc-02"], 200)]


def test_a_search_that_is_too_long_says_that_it_proves_nothing() -> None:
    source = scenario(buried())
    trace = build(source, window=500, options={"summarize.trigger": "always"})  # then not all places are told at once
    found = each_remedy(source, trace, trace.story(NEEDLE), Care(effort=100))
    window = next(one for one in found if one.rule == "remedy-window")
    assert not window.proven
    assert keeps(build(source, window.settings), NEEDLE)
    assert "may do" in window.says("en")


def test_an_item_one_limit_holds_no_room_for_comes_back_by_that_limit() -> None:
    source = scenario([system(), *talk(3), user()], documents=[document("doc-01", f"{words(3)} {NEEDLE}")])
    trace = build(source, window=4_000, limits={"docs": "1%"}, options={"select.admit_compressed": "false"})
    first = remedies(source, trace, trace.story(NEEDLE))[0]
    assert first.argv[0] == "--limit"
    name, _, share = first.argv[1].partition("=")
    assert name == "docs"
    less = f"{float(share[:-1]) - 0.1:g}%"
    limits = {"docs": less}
    assert not keeps(build(source, window=4_000, limits=limits, options=dict(trace.settings.options)), NEEDLE)


def test_a_lone_result_comes_back_by_its_priority() -> None:
    results = [tool_result("tool-01", words(20)), tool_result("tool-02", f"{words(15, 'gauge')} {NEEDLE}")]
    source = scenario([user("x")], tool_results=results)
    given = {"limits": {"tools": 330}, "options": {"select.admit_compressed": "false"}, "priorities": {"tool-01": 5}}
    trace = build(source, **given)
    assert trace.story(NEEDLE).fate == "lost"
    found = {one.rule: one for one in remedies(source, trace, trace.story(NEEDLE))}
    assert found["remedy-priority"].argv == ("--priority", "tool-02=5")  # of equals, the newer
    assert found["remedy-priority"].pushes_out == ("tool-01",)


def test_a_text_that_only_spacing_tells_apart_is_pinned_by_its_item() -> None:
    source = scenario(buried())
    trace = build(source, window=500)
    loose = NEEDLE.upper().replace(" ", "  ")
    pin = next(one for one in remedies(source, trace, trace.story(loose)) if one.rule == "remedy-pin")
    assert pin.argv == ("--pin", "turn-0002")


def test_a_thousand_messages_are_answered_within_a_second_of_work_or_two() -> None:
    said = [f"Note {at}: {words(1 + at % 4, f'w{at}')}" for at in range(1_000)]
    source = scenario([system(), *(user(s) if at % 2 else assistant(s) for at, s in enumerate(said)), user("And now?")])
    trace = build(source, window=16_000)
    began = time.process_time()
    window = next(one for one in remedies(source, trace, trace.story("Note 300:")) if one.rule == "remedy-window")
    assert time.process_time() - began < 10  # 1.3 s on a machine at rest; 15 to 60 where every place is built
    assert window.proven
    at = int(window.argv[1])
    reserve = trace.budget.reserve
    assert keeps(build(source, window=at, reserve=reserve), "Note 300:")
    assert not keeps(build(source, window=at - 1, reserve=reserve), "Note 300:")


# -- what takes it out -------------------------------------------------------------------------


def test_what_is_in_says_what_would_take_it_out() -> None:
    source = scenario(buried(14))
    trace = build(source, window=700, reserve=50)
    assert trace.story(NEEDLE).fate == "kept"
    assert remedies(source, trace, trace.story(NEEDLE)) == ()
    found = {one.rule: one for one in losses(source, trace, trace.story(NEEDLE))}
    assert {"loss-window", "loss-reserve", "loss-mute"} <= found.keys()
    for one in found.values():
        assert followed(source, trace, one.argv).story(NEEDLE).fate != "kept"
    smallest = int(found["loss-window"].argv[1])
    assert build(source, window=smallest + 1, reserve=50).story(NEEDLE).fate == "kept"


def test_a_pin_is_what_keeps_it() -> None:
    source = scenario(buried())
    trace = build(source, window=500, pins=(NEEDLE,))
    (first, *_) = losses(source, trace, trace.story(NEEDLE))
    assert (first.rule, first.settings.pins) == ("loss-unpin", ())


# -- mutes and priorities ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SYSTEMS, "raw"])
def test_what_is_muted_never_enters_and_takes_its_group_along(name: str) -> None:
    messages = [system(), user(), called("c1"), result("c1", NEEDLE), *talk(1), user("And now?")]
    trace = build(scenario(messages), system=name, window=8_000, mutes=(NEEDLE,))
    assert rules(trace, "mute", "turn-0004") == rules(trace, "mute", "turn-0003") == ["muted-by-you"]
    assert not {"turn-0003", "turn-0004"} & set(ids(trace))
    assert trace.fits


def test_system_text_question_and_pins_cannot_be_muted() -> None:
    source = scenario([system(), *talk(1), user("And now?")])
    trace = build(source, mutes=("system-01", "turn-0004", "turn-0002"), pins=("turn-0002",))
    assert {"system-01", "turn-0002", "turn-0004"} <= set(ids(trace))
    assert problems(trace).count("mute-refused") == 3


@pytest.mark.parametrize("given", [{"a": 0}, {"a": 11}, {"a": "x"}, {"": 3}])
def test_a_priority_is_a_number_from_1_to_10_for_something(given: dict[str, Any]) -> None:
    with pytest.raises(CtxError, match="--priority"):
        build(scenario([user()]), priorities=given)


# -- pieces and lights -------------------------------------------------------------------------


def test_the_longest_surviving_pieces_stand_as_they_stand_there() -> None:
    said = "The gate code is 4417, ask for Mira. Deliver after 17:30 only. 请勿按门铃。"
    summary = "Notes: deliver after 17:30 only; the gate code is 4417. 请勿按门铃"
    assert pieces(said, summary) == ("deliver after 17:30 only", "the gate code is 4417", "请勿按门铃")
    assert pieces("one two", "one two") == ()


def test_lights_say_where_a_text_went_out() -> None:
    trace = build(scenario(buried()), system="compiler", window=500)
    lights = dict(trace.story(NEEDLE).lights)
    assert lights["static-content-loader"] == "kept"
    assert lights["final-assembler"] == trace.story(NEEDLE).fate


# -- tracked numbers ---------------------------------------------------------------------------


STEPS = {
    "lt": lambda x, y, n: (x, x < n),
    "gt": lambda x, y, n: (x, n + 0.5 > x),
    "le": lambda x, y, n: (x, n >= x),
    "eq": lambda x, y, n: (x, bool(x == n) or bool(x == y)),
    "add": lambda x, y, n: (n + x - (y // 2), None),
    "less": lambda x, y, n: (n - x, None),
    "most": lambda x, y, n: (max(min(x, y), n), None),
    "part": lambda x, y, n: (round(x / 3) + (x // 2), None),
    "place": lambda x, y, n: (x, list(range(40))[int(max(0, min(x, 30)))]),
}


@given(st.lists(st.tuples(st.sampled_from(list(STEPS)), st.integers(-30, 30)), max_size=8), st.integers(0, 60))
def test_a_tracked_number_never_says_more_than_it_knows(steps: list[tuple[str, int]], start: int) -> None:
    def answers(x: Any) -> list[Any]:
        y, told = x - 7, []
        for verb, n in steps:
            x, answer = STEPS[verb](x, y, n)
            told.append(answer)
        return told

    seen = Comparisons()
    told = answers(Tracked(Root(lambda k: 3 * k // 2, 3 * start // 2, seen)))
    assert seen.holds(start)
    assert all(answers(3 * k // 2) == told for k in range(61) if seen.holds(k))


def test_a_trace_is_not_made_of_tracked_numbers() -> None:
    source = scenario(buried())
    trace = build(source, window=500)
    for one in remedies(source, trace, trace.story(NEEDLE)):
        assert isinstance(one.tokens, int)
        assert isinstance(build(source, one.settings), Trace)


def test_what_is_found_quickly_keeps_the_text_and_one_step_less_does_not() -> None:
    source = scenario([system(), *talk(40), user(NEEDLE), *talk(40), user()])
    for system_name in ("compiler", "layered"):
        trace = build(source, system=system_name, window=1_500)
        story = trace.story(NEEDLE)
        assert story.fate != "kept"
        moves = {one.rule: one for one in each_remedy(source, trace, story, QUICK)}
        window = moves["remedy-window"].settings
        assert window.window is not None
        assert keeps(build(source, window), NEEDLE)
        assert not keeps(build(source, replace(window, window=window.window - 1)), NEEDLE)


def test_remedies_are_computed_once_however_many_read_them() -> None:
    source = scenario(buried())
    trace = build(source, window=500)
    asked = []
    each = each_remedy(source, trace, trace.story(NEEDLE))
    shared = AsFound(asked.append(one) or one for one in each)
    first = next(iter(shared))
    assert [first] == asked
    assert list(shared) == list(shared) == asked == list(remedies(source, trace, trace.story(NEEDLE)))
