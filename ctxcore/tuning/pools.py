"""What competes with what: the groups of each limit in the order in which it takes them, and what each budget buys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxcore.groups import Group, groups_of, is_fixed
from ctxcore.item import Source
from ctxcore.trace import Trace
from ctxcore.tuning.objective import Objective, repeats


@dataclass(frozen=True)
class Step:
    """What a pool holds from `cap` tokens on: `kept` groups by place, their `cost` with framing, their `value`."""

    cap: int
    cost: int
    value: float
    kept: frozenset[int]


@dataclass(frozen=True)
class Pool:
    """`limits` that hold the same sources, the newest turns' first; `groups` in the order in which they are taken."""

    name: str
    limits: tuple[str, ...]
    groups: tuple[Group, ...]
    steps: tuple[Step, ...]  # rising in cap; the first holds nothing

    def at(self, cap: int) -> Step:
        return max((step for step in self.steps if step.cap <= cap), key=lambda step: step.cap)


def pools_of(trace: Trace, objective: Objective, room: int) -> tuple[Pool, ...]:
    """The pools of a build's inputs; what never leaves belongs to none. `room` in tokens: no step costs more."""
    weights = objective.weights(trace.inputs)
    whole = sum(weights.values()) or 1.0
    tokens = max(1, sum(item.tokens for item in trace.inputs))
    members: dict[tuple[str, ...], list[Group]] = {}
    for group in groups_of(trace.inputs):
        if not is_fixed(group, trace.final.question):
            members.setdefault(_limits(trace, group), []).append(group)
    out = []
    for limits, groups in members.items():
        ranked = tuple(sorted(groups, key=_rank))
        again = repeats([item for group in ranked for item in group.items])
        values = [
            sum(weights[i.id] for i in g.items) / whole
            - objective.redundancy * sum(again[i.id] for i in g.items) / tokens
            for g in ranked
        ]
        out.append(Pool(" + ".join(limits) or "rest", limits, ranked, steps(ranked, values, room)))
    return tuple(out)


def _rank(group: Group) -> tuple[float, float]:
    """Documents by relevance, turns from the newest back, the rest by priority."""
    first = group.first
    if first.source is Source.DOC:
        return -first.relevance, group.turn
    return (-group.turn, first.at) if first.message else (first.priority, -group.turn)


def _limits(trace: Trace, group: Group) -> tuple[str, ...]:
    """The limit that a group counts to first, with others that hold the same sources."""
    name = trace.system.limit_of(group.first)
    sources: Mapping[str, tuple[Source, ...]] = {limit.name: limit.sources for limit in trace.budget.limits}
    return tuple(other for other, held in sources.items() if held == sources.get(name)) or ((name,) if name else ())


def steps(groups: Sequence[Group], values: Sequence[float], room: int) -> tuple[Step, ...]:
    """Every outcome of taking the groups in order, each that still fits: worked out for all budgets at once."""
    import numpy as np

    most = min(room, sum(group.tokens for group in groups))
    left = np.arange(most + 1)
    kept = np.zeros((len(groups), most + 1), bool)
    for place, group in enumerate(groups):
        kept[place] = left >= group.tokens
        left -= group.tokens * kept[place]
    starts = np.flatnonzero(np.r_[True, np.any(kept[:, 1:] != kept[:, :-1], axis=0)])
    out = []
    for cap in starts:
        held = [int(at) for at in np.flatnonzero(kept[:, cap])]
        cost = sum(groups[at].cost for at in held)
        if cost <= room:
            out.append(Step(int(cap), cost, sum(values[at] for at in held), frozenset(held)))
    return tuple(out)
