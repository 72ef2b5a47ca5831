"""The best split: the optimum by brute force, and what it promises is what a build with its limits keeps."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcore import build
from ctxcore.groups import Group
from ctxcore.item import Item, Source, Text
from ctxcore.placing.importance import Importance
from ctxcore.placing.presets import curve_at
from ctxcore.tuning.objective import Objective, score, shingles
from ctxcore.tuning.pools import Pool, steps
from ctxcore.tuning.splitting import best_split, joined
from tests.build import document, record, scenario, system, talk, user, words

SOURCE = scenario(
    [system(), *talk(8, 2), user()],
    documents=[document(f"doc-{n:02d}", words(3 + 5 * (n % 3), f"hill{n}"), 1 - n / 8) for n in range(6)],
    notes=[record(f"note-{n}", words(2 + n, f"note{n}")) for n in range(3)],
)


def group(name: str, tokens: int, frame: int = 4) -> Group:
    return Group((Item(name, Source.DOC, "system", (Text(name),), tokens, frame=frame),))


def taken(sizes: list[int], cap: int) -> list[int]:
    """The rule itself, one budget at a time."""
    out = []
    for at, size in enumerate(sizes):
        if size <= cap:
            out.append(at)
            cap -= size
    return out


pools = st.lists(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 9)), max_size=5), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(pools, st.integers(0, 50))
def test_the_optimum_is_that_of_trying_everything(given_pools: list[list[tuple[int, int]]], room: int) -> None:
    made = []
    for at, members in enumerate(given_pools):
        groups = tuple(group(f"{at}-{n}", size) for n, (size, _) in enumerate(members))
        values = [float(value) for _, value in members]
        made.append(Pool(str(at), (), groups, steps(groups, values, room)))
    best, choices = joined(made, room)
    brute = [0.0] * (room + 1)
    for caps in product(*(range(1 + sum(size for size, _ in members)) for members in given_pools)):
        kept = [taken([size for size, _ in m], cap) for m, cap in zip(given_pools, caps, strict=True)]
        cost = sum(m[at][0] + 4 for m, ats in zip(given_pools, kept, strict=True) for at in ats)
        value = sum(m[at][1] for m, ats in zip(given_pools, kept, strict=True) for at in ats)
        for tokens in range(cost, room + 1):
            brute[tokens] = max(brute[tokens], value)
    reached = [max(b for b in best[: at + 1]) for at in range(room + 1)]
    assert reached == pytest.approx(brute)
    assert all(len(picked) == room + 1 for picked in choices)


@pytest.mark.parametrize("window", [500, 900, 1_500, 4_000])
@pytest.mark.parametrize("facts", [(), ("hill4",)])
def test_a_build_with_these_limits_keeps_what_was_chosen(window: int, facts: tuple[str, ...]) -> None:
    objective = Objective(importance=Importance(facts=facts))
    whole = {"window": window, "reserve": 0, "options": {"select.admit_compressed": "off"}}
    trace = build(SOURCE, **whole)
    split = best_split(trace, objective)
    after = build(SOURCE, **whole, limits={name: str(n) for name, n in split.limits.items()})
    assert after.fits
    weights = objective.weights(trace.inputs)
    kept = sum(weights[i.id] for i in after.final.items) / sum(weights.values())
    assert kept >= split.best.value - 1e-9
    assert score(after, objective).total >= score(trace, objective).total - 0.02
    assert not facts or not score(after, objective).lost


def test_the_front_rises_and_its_best_point_is_the_best_of_all() -> None:
    objective = Objective(tokens=0.4)
    split = best_split(build(SOURCE, window=3_000, reserve=0), objective)
    assert [p.tokens for p in split.front] == sorted({p.tokens for p in split.front})
    assert all(a.value < b.value for a, b in zip(split.front, split.front[1:], strict=False))
    assert split.knee in split.front
    for point in split.front:
        fill = point.tokens / 3_000
        assert point.total == pytest.approx(curve_at(fill).over(0.0, 1.0) * point.value - 0.4 * fill)
        assert point.total <= split.best.total


def test_a_dearer_token_asks_for_fewer() -> None:
    trace = build(SOURCE, window=1_200, reserve=0)
    cheap, dear = (best_split(trace, Objective(tokens=price)).best.tokens for price in (0.0, 2.0))
    assert dear < cheap


def test_the_next_item_to_come_and_to_go_are_named() -> None:
    split = best_split(build(SOURCE, window=500, reserve=0), Objective())
    found: dict[str, Any] = {margin.pool: margin for margin in split.margins}
    assert {"docs", "recent + history", "notes"} == set(found)
    assert any(margin.gain > 0 and margin.enters for margin in found.values())


def test_what_is_said_twice_counts_once() -> None:
    assert shingles("a b c d e f") & shingles("x b c d e f")
    assert not shingles("a b c d")
    assert shingles("退款需要七个工作日处理")
