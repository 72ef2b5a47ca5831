"""Curves, orders, and the stage that puts a payload into a better one."""

from __future__ import annotations

import csv
import itertools
import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.layout import CURVES, ORDERS, is_valid, random_units
from ctxcore import InputError, Scenario, build
from ctxcore.item import Source
from ctxcore.placing.advice import advice
from ctxcore.placing.arranging import by_hand
from ctxcore.placing.curves import Decay, Points
from ctxcore.placing.importance import Importance, priors
from ctxcore.placing.optimum import optimum
from ctxcore.placing.pieces import pieces_of, written
from ctxcore.placing.placement import placement
from ctxcore.placing.presets import curve_at, presets
from ctxcore.placing.sensitivity import sensitivity
from ctxcore.placing.unit import FIRST, LAST, Unit, expected
from ctxcore.systems import SYSTEMS
from tests import laws
from tests.build import SHARED, document, scenario, system, user, words
from tests.strategies import scenarios

LAYOUT = "layout-optimizer"


def optimized(opening: Scenario, name: str, **options: object):
    stages = (*(stage.name for stage in SYSTEMS[name].stages("repaired")), LAYOUT)
    return build(
        opening, system=name, window=8_000, stages=stages, options={f"{LAYOUT}.{k}": v for k, v in options.items()}
    )


@pytest.mark.parametrize("curve", [*CURVES.values(), Decay(0.7, 0.1, 0.3), Points((0.2, 0.6), (0.3, 0.9))])
def test_the_mean_over_a_span_is_the_integral(curve):
    for start, end in ((0.0, 1.0), (0.1, 0.15), (0.55, 0.95), (0.3, 0.3)):
        steps = [start + (end - start) * (n + 0.5) / 2_000 for n in range(2_000)]
        assert curve.over(start, end) == pytest.approx(sum(map(curve.at, steps)) / 2_000, abs=2e-4)


def test_a_decay_goes_through_what_was_measured():
    curve = Decay.through(0.914, 0.877, 0.923)
    assert [round(curve.at(x), 6) for x in (0, 0.5, 1)] == [0.914, 0.877, 0.923]


@pytest.mark.parametrize(
    ("fill", "first", "middle", "last"),
    [(0.06, 0.914, 0.898, 0.933), (0.5, 0.781, 0.785, 0.899), (1.0, 0.624, 0.687, 0.830)],
)
def test_the_fill_aware_curve_is_the_published_mean(fill, first, middle, last):
    curve = curve_at(fill)
    assert [round(curve.at(x), 3) for x in (0, 0.5, 1)] == [first, middle, last]


def test_every_preset_has_a_source_and_a_curve_at_any_fill():
    for preset in presets().values():
        assert preset.source
        for fill in (0.0, 0.3, 1.0, 7.0):
            assert all(0 <= y <= 1 for y in preset.curve(fill).points(21))
    with pytest.raises(InputError, match="fill-aware"):
        curve_at(0.5, "u-shape")


def test_the_tables_are_those_of_the_measurements():
    if not SHARED.exists():
        pytest.skip("no ../shared here")
    given = list(csv.DictReader((SHARED / "curves" / "litm_curves.csv").open()))
    wanted = {(r["model"], r["n_docs"], r["gold_index"]): float(r["accuracy"]) for r in given}
    curve = presets()["liu-mpt-30b"].curve(0.5)
    for index in (0, 4, 9, 14, 19):
        assert curve.at(index / 19) == wanted["MPT-30B-Instruct", "20", str(index)]


def test_the_known_reorderings_are_what_their_code_does():
    assert list(ORDERS["LongContextReorder"](4)) == [1, 3, 2, 0]
    assert list(ORDERS["LongContextReorder"](20))[-1] == 0
    assert next(iter(ORDERS["LongContextReorder"](21))) == 0
    assert list(ORDERS["zigzag"](5)) == [0, 2, 4, 3, 1]


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_the_best_order_is_that_of_trying_all(curve):
    draw = random.Random(11)
    for _ in range(12):
        units = random_units(draw, draw.randint(2, 5))
        best = max(expected(order, curve) for order in itertools.permutations(units) if is_valid(order, units))
        found = optimum(units, curve)
        assert is_valid(found, units)
        assert expected(found, curve) == pytest.approx(best, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 150), st.sampled_from(sorted(presets())))
def test_an_order_keeps_every_unit_and_is_never_worse(seed, count, preset):
    units, curve = random_units(random.Random(seed), count), curve_at(0.8, preset)
    found = optimum(units, curve)
    assert sorted(found, key=lambda u: u.key) == sorted(units, key=lambda u: u.key)
    assert is_valid(found, units)
    assert expected(found, curve) >= expected(units, curve) - 1e-12


@settings(max_examples=25, deadline=None)
@given(scenarios(), st.sampled_from(sorted(SYSTEMS)), st.sampled_from(sorted(presets())))
def test_pieces_are_the_payload_and_another_order_keeps_the_laws(opening, name, preset):
    plain = build(Scenario.from_json(opening), system=name, window=8_000)
    again = written(pieces_of(plain.final.messages))
    assert [(m.role, m.texts) for m in again] == [(m.role, m.texts) for m in plain.final.messages]
    trace = optimized(Scenario.from_json(opening), name, min_gain=0, curve=preset)
    valid = laws.is_valid(trace.scenario.messages, trace.scenario.tools)
    laws.check(trace.to_json(), valid_input=valid, holds_limits=name != "layered")
    assert {item.id for item in trace.final.items} == {item.id for item in plain.final.items}


def test_a_state_in_the_trough_goes_to_the_end_and_says_what_that_gains():
    opening = Scenario.load("ctxcore/scenarios/competitors.json")
    trace = optimized(opening, "raw", min_gain=0.5)
    moved = [d for d in trace.snapshots[-1].decisions if d.rule == "layout-optimum"]
    assert moved
    facts = moved[0].facts
    assert facts["best"] - facts["here"] == pytest.approx(facts["gain"], abs=0.11)
    assert placement(trace).expected * 100 == pytest.approx(facts["best"], abs=0.06)
    before = build(opening, system="raw", window=8_000).messages
    assert (trace.messages[0], trace.messages[-1]) == (before[0], before[-1])


def test_what_gains_less_than_asked_for_stays():
    opening = Scenario.load("ctxcore/scenarios/context-assistant.json")
    trace = optimized(opening, "gssc", min_gain=50)
    assert {d.rule for d in trace.snapshots[-1].decisions} == {"layout-good"}
    assert trace.messages == build(opening, system="gssc", window=8_000).messages


def test_a_cached_prefix_stays():
    opening = Scenario.load("ctxcore/scenarios/competitors.json")
    before = build(opening, system="raw", window=8_000)
    trace = optimized(opening, "raw", min_gain=0, prefix=3_000)
    kept = sum(1 for start, _, _ in before.map if start < 3_000)
    assert trace.messages[:kept] == before.messages[:kept]


def test_an_order_by_hand_is_taken_where_the_rules_allow_it():
    units = [
        Unit("s", 10, 1, "", FIRST),
        Unit("t1", 10, 1, "t"),
        Unit("d", 10, 1),
        Unit("t2", 10, 1, "t"),
        Unit("q", 9, 1, "", LAST),
    ]
    keys = lambda order: [unit.key for unit in by_hand(units, json.dumps(order))]  # noqa: E731
    assert keys(["d", "t1"]) == ["s", "d", "t1", "t2", "q"]
    assert keys(["t2", "t1", "d"]) == ["s", "t1", "t2", "d", "q"]
    assert keys(["q", "s", "nobody"]) == ["s", "t1", "d", "t2", "q"]
    with pytest.raises(InputError, match="JSON list"):
        by_hand(units, "t1, t2")


def test_importance_comes_from_pins_facts_relevance_and_recency():
    opening = scenario(
        [system("Be brief."), user("old"), user("new question")],
        documents=[document("doc-1", "The code is 48213.", 0.2)],
    )
    items = build(opening, system="raw").final.items
    guessed = Importance().of(items)
    assert guessed["doc-1"] == pytest.approx(2 * (0.25 + 0.75 * next(i for i in items if i.id == "doc-1").relevance))
    assert Importance(facts=("48213",)).of(items)["doc-1"] == 3
    assert Importance(priors("doc=0 system=1.5")).of(items)["doc-1"] == 0
    with pytest.raises(InputError, match="source=number"):
        priors("docs:3")


def test_advice_compares_orders_on_the_payload_as_it_would_be_written():
    trace = build(Scenario.load("ctxcore/scenarios/competitors.json"), system="raw", window=8_000)
    found = advice(trace)
    assert found.present == pytest.approx(100 * placement(trace).expected)
    assert found.expected["best"] >= max(found.expected.values()) - 0.05
    assert found.is_worth_it == (found.gain > 1)
    assert found.halved > found.present
    assert 0 < found.uncached("best") < trace.totals.total
    wide = advice(trace, window=128_000)
    assert wide.gain < found.gain
    flat = advice(trace, "flat")
    assert not flat.is_worth_it


def test_the_worse_the_guess_the_less_is_gained():
    units = random_units(random.Random(5), 25)
    rows = sensitivity(units, curve_at(1.0))
    assert [row.agreement for row in rows] == sorted((row.agreement for row in rows), reverse=True)
    assert rows[0].agreement == 1
    assert rows[0].gain > rows[-1].gain


def test_a_crowd_that_weighs_the_same_is_not_marked_as_important():
    turns = [user(words(4, f"brook{at}")) for at in range(40)]
    trace = build(scenario([system(words(6)), *turns]), system="raw", window=4_000)
    alike = placement(trace, importance=Importance({Source.CONVERSATION: 0.0, Source.SYSTEM: 0.0, Source.USER: 0.0}))
    assert not any(block.marked for block in alike.blocks)
    marked = [block for block in placement(trace).blocks if block.marked]
    assert len(marked) <= 11
    assert "system-01" in {block.item.id for block in marked}


def test_nothing_important_is_no_error():
    units = [replace(unit, weight=0.0) for unit in random_units(random.Random(1), 4)]
    assert expected(optimum(units, curve_at(0.5)), curve_at(0.5)) == 0
    assert optimum([], curve_at(0.5)) == ()
