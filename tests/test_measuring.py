"""Needle probes: what is asked, what it costs, what is made of the answers."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ctxcore import InputError
from ctxcore.counting.tokens import counter_for
from ctxcore.measuring.estimate import Point, fit, points, wilson
from ctxcore.measuring.measure import PATIENCE, Observation, measure
from ctxcore.measuring.measured import Measured, from_json
from ctxcore.measuring.needles import filler
from ctxcore.measuring.plan import Plan, probes
from ctxcore.model.replies import ModelError, Reply
from ctxcore.placing.given import preset_from

COUNTER = counter_for("gpt-4o")
PLAN = Plan((600,), places=5, trials=8)


class Edges:
    """Reads the first eighth and the last seventh of what it is sent, and names the first number there otherwise."""

    name = fingerprint = "edges"

    def __init__(self, fails: tuple[int, ...] = ()) -> None:
        self.asked, self.fails = 0, fails

    def reply(self, messages, **more):
        self.asked += 1
        if self.asked in self.fails:
            raise ModelError("server", "500")
        text = messages[0]["content"]
        name = re.search(r"secret number of (\w+)\? Answer", text)[1]
        at = text.index(f"number of {name} is ")
        number = re.search(rf"number of {name} is (\d+)", text)[1]
        seen = at < len(text) / 8 or at > 0.85 * len(text)
        return Reply(f"It is {number}." if seen else re.findall(r"\d{5}", text)[0], prompt_tokens=600)


def observations(plan: Plan = PLAN, model: Edges | None = None, **more):
    return list(measure(probes(plan, COUNTER), model or Edges(), **more))


def test_every_place_and_trial_is_asked_once_and_names_change_places():
    asked = list(probes(PLAN, COUNTER))
    assert len(asked) == len({probe.key for probe in asked}) == PLAN.calls == 40
    for place in PLAN.at:
        names = [probe.name for probe in asked if probe.place == place]
        assert len(set(names)) == 5
    assert set(Counter(probe.name for probe in asked).values()) == {8}


def test_a_prompt_is_as_long_as_the_plan_says_and_differs_from_its_neighbours_only_behind_the_needle():
    asked = list(probes(Plan((900,), 5, 2), COUNTER))
    for probe in asked:
        assert 0.9 * 900 < COUNTER.count(probe.messages[0]["content"]) <= 900
        assert str(probe.number) in probe.messages[0]["content"]
    one, other = (probe.messages[0]["content"] for probe in asked[3:5])
    shared = next(at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    assert shared > 0.6 * len(one)


def test_the_users_own_text_can_be_the_haystack():
    probe = next(probes(PLAN, COUNTER, ["The river is wide here.", "Nobody swims in it."]))
    assert "Nobody swims in it." in probe.messages[0]["content"]
    assert not any(re.search(r"\d", sentence) for sentence in filler())


WRONG = ({"lengths": ()}, {"places": 1}, {"kinds": ("odd",)}, {"distractors": 99}, {"trials": 0})


@pytest.mark.parametrize("wrong", WRONG)
def test_a_plan_that_cannot_be_is_refused(wrong):
    with pytest.raises(InputError):
        Plan(**{"lengths": (600,), **wrong})


def test_the_cost_is_known_before():
    assert Plan((1_000, 3_000), 5, 10).cost(2.5) == pytest.approx(0.5)
    assert Plan().cost(None) is None


def test_what_only_the_edges_hold_is_measured_as_such():
    seen = observations()
    found = points(seen)
    assert [point.found for point in found] == [8, 0, 0, 0, 8]
    assert any(one.confused for one in seen)
    made = fit(found)
    assert made.has_effect
    assert made.curve.at(0) - made.curve.at(0.4) > 0.3


def test_a_stopped_run_is_taken_up_where_it_stopped():
    first = Edges()
    early = [one for one, _ in zip(measure(probes(PLAN, COUNTER), first), range(7), strict=False)]
    again = Edges()
    seen = observations(model=again, known={one.key: one for one in early})
    assert again.asked == PLAN.calls - len(early)
    assert seen == observations()


def test_it_stops_when_told_to_and_when_the_endpoint_is_down():
    assert len(observations(stop=lambda: True)) == 0
    down = Edges(fails=tuple(range(1, 99)))
    seen = observations(model=down)
    assert len(seen) == PATIENCE
    assert points(seen) == ()
    assert all(one.error for one in seen)


def test_several_at_once_see_the_same():
    with ThreadPoolExecutor(4) as pool:
        assert observations(executor=pool) == observations()


@pytest.mark.parametrize(
    ("found", "asked", "low", "high"),
    [(10, 10, 0.722, 1.0), (5, 10, 0.237, 0.763), (0, 20, 0.0, 0.161), (95, 100, 0.888, 0.978)],
)
def test_intervals_are_wilsons(found, asked, low, high):
    assert wilson(found, asked) == pytest.approx((low, high), abs=0.001)
    assert wilson(0, 0) == (0, 1)


def test_no_effect_is_said_to_be_none():
    level = tuple(Point(n / 4, 8, 10, *wilson(8, 10)) for n in range(5))
    made = fit(level)
    assert not made.has_effect
    assert made.level == pytest.approx(0.8, abs=0.03)
    assert all(low <= made.curve.at(n / 100) <= high for n, (low, high) in enumerate(made.band))
    assert fit(level[:2]) is None


def test_more_answers_make_the_band_narrower():
    def width(asked: int) -> float:
        made = fit([Point(n / 4, asked // 2, asked, *wilson(asked // 2, asked)) for n in range(5)])
        return sum(high - low for low, high in made.band) / 101

    assert width(80) < 0.6 * width(10)


def test_a_measurement_is_a_file_and_a_curve_of_the_layout():
    plan = replace(PLAN, lengths=(400, 600))
    seen = tuple(observations(plan))
    done = Measured("mine", "edges", "2026-12-01", plan, seen, window=1_200, about={"engine": "test"})
    assert from_json(done.to_json()) == done
    assert done.is_complete
    preset = preset_from(done.as_text())
    assert preset.key == "mine"
    assert preset.curve(0.5).at(0) > preset.curve(0.5).at(0.4) + 0.3
    with pytest.raises(InputError, match=r"ctxcore\.curve/1"):
        from_json({"schema": "other"})
    with pytest.raises(InputError, match="damaged"):
        from_json({**done.to_json(), "plan": {}})
    assert Measured("none", "edges", "2026-12-01", PLAN, ()).as_text() == ""


def test_an_observation_without_an_answer_counts_nothing():
    lost = Observation("k", 600, 0.5, "literal", error="down")
    assert points([lost]) == ()
