"""A needle among others that look alike, at five places, asked of a small model: what lies in the middle is lost."""

from __future__ import annotations

from statistics import mean

from ctxcore.counting.tokens import counter_for
from ctxcore.measuring.estimate import points
from ctxcore.measuring.measure import measure
from ctxcore.measuring.plan import Plan, probes
from ctxcore.model.endpoint import Endpoint

PLAN = Plan(lengths=(1_000,), places=5, trials=2)


def test_a_small_model_finds_what_lies_at_the_edges_and_loses_the_middle(local_model: Endpoint):
    seen = list(measure(probes(PLAN, counter_for(local_model.name)), local_model))
    shares = [point.share for point in points(seen)]
    assert [one.error for one in seen if one.error] == []
    assert mean((shares[0], shares[-1])) - mean(shares[1:-1]) >= 0.3
    lost = [one for one in seen if not one.found]
    assert sum(one.confused for one in lost) > len(lost) / 2  # it names the number of another one: no blank answers
    assert all(one.cached_tokens for one in seen[1:])  # what lies before the needle was read before
