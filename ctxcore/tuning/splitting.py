"""The best split of the room among the limits, exactly: step functions joined by a (max, +) convolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxcore.groups import groups_of, is_fixed
from ctxcore.placing.presets import curve_at
from ctxcore.trace import Trace
from ctxcore.tuning.objective import Objective
from ctxcore.tuning.pools import Pool, Step, pools_of

MARGIN = 48  # tokens of the room left for headings and joints, which no item counts
MORE = 1_000  # tokens by which a marginal value is asked


@dataclass(frozen=True, slots=True)
class Point:
    """A payload of `tokens` in all, the most `value` that so many tokens can hold, and its J."""

    tokens: int
    value: float
    total: float


@dataclass(frozen=True, slots=True)
class Margin:
    """What `MORE` tokens more would bring a pool, in value; and which item would be the next to come and to go."""

    pool: str
    gain: float
    enters: str
    leaves: str


@dataclass(frozen=True)
class Split:
    """`limits` in tokens; `front` rises in tokens and value, `best` and `knee` are points of it."""

    limits: Mapping[str, int]
    front: tuple[Point, ...]
    best: Point
    knee: Point
    margins: tuple[Margin, ...]


def best_split(trace: Trace, objective: Objective) -> Split:
    """For the scenario, system and window of a build. Texts in one piece: compressing comes on top."""
    fixed = [group for group in groups_of(trace.inputs) if is_fixed(group, trace.final.question)]
    taken = trace.budget.fixed + sum(group.cost for group in fixed)
    room = max(0, trace.budget.room - taken - MARGIN)
    pools = pools_of(trace, objective, room)
    weights = objective.weights(trace.inputs)
    base = sum(weights[i.id] for group in fixed for i in group.items) / (sum(weights.values()) or 1.0)
    values, choices = joined(pools, room)
    front = _front(values, taken, base, trace.budget.window, objective)
    best = max(front, key=lambda point: point.total)
    chosen = _chosen(pools, choices, best.tokens - taken)
    margins = tuple(_margin(pool, step) for pool, step in zip(pools, chosen, strict=True))
    return Split(_limits(trace, pools, chosen), front, best, _knee(front), margins)


def joined(pools: Sequence[Pool], room: int) -> tuple[list[float], list[list[int]]]:
    """The most value for each number of tokens up to `room`, and for each pool the step that is chosen there."""
    import numpy as np

    best = np.zeros(room + 1)
    choices = []
    for pool in pools:
        after, picked = np.full(room + 1, -np.inf), np.zeros(room + 1, np.int64)
        for at, step in enumerate(pool.steps):
            found = best[: room + 1 - step.cost] + step.value
            better = found > after[step.cost :] + 1e-12
            after[step.cost :][better] = found[better]
            picked[step.cost :][better] = at
        best = after
        choices.append(picked.tolist())
    return best.tolist(), choices


def _chosen(pools: Sequence[Pool], choices: Sequence[Sequence[int]], tokens: int) -> list[Step]:
    out = []
    for pool, picked in zip(reversed(pools), reversed(choices), strict=True):
        step = pool.steps[picked[tokens]]
        out.append(step)
        tokens -= step.cost
    return out[::-1]


def _front(values: Sequence[float], taken: int, base: float, window: int, objective: Objective) -> tuple[Point, ...]:
    """Only the numbers of tokens that buy more than any smaller one."""
    out: list[Point] = []
    for tokens, value in enumerate(values):
        if not out or value + base > out[-1].value + 1e-12:
            fill = (taken + tokens) / max(1, window)
            total = curve_at(fill).over(0.0, 1.0) * (base + value) - objective.tokens * fill
            out.append(Point(taken + tokens, base + value, total))
    return tuple(out)


def _knee(front: Sequence[Point]) -> Point:
    """Where the front bends most: farthest above the line from its first to its last point."""
    first, last = front[0], front[-1]
    run, rise = max(1, last.tokens - first.tokens), (last.value - first.value) or 1.0
    return max(front, key=lambda p: (p.value - first.value) / rise - (p.tokens - first.tokens) / run)


def _margin(pool: Pool, now: Step) -> Margin:
    reach = [step for step in pool.steps if now.cap < step.cap and step.cost <= now.cost + MORE]
    best = max(reach, key=lambda step: step.value, default=now)
    after = next((step for step in pool.steps if step.cap > now.cap and step.kept - now.kept), None)
    before = next((step for step in reversed(pool.steps) if step.cap < now.cap and now.kept - step.kept), None)
    enters = min(after.kept - now.kept) if after else None
    leaves = max(now.kept - before.kept) if before else None
    return Margin(
        pool.name,
        max(0.0, best.value - now.value),
        "" if enters is None else pool.groups[enters].first.id,
        "" if leaves is None else pool.groups[leaves].first.id,
    )


def _limits(trace: Trace, pools: Sequence[Pool], chosen: Sequence[Step]) -> dict[str, int]:
    """Each limit in tokens: what never leaves, and what was chosen. Of limits that hold the same sources, the first
    takes the newest without a gap, the second the rest."""
    limit_of = trace.system.limit_of
    out = dict.fromkeys((limit.name for limit in trace.budget.limits if not limit.inner), 0)
    for group in groups_of(trace.inputs):
        for item in group.items if is_fixed(group, trace.final.question) else ():
            out[limit_of(item)] += item.tokens
    for pool, step in zip(pools, chosen, strict=True):
        gap = next((at for at in range(len(pool.groups)) if at not in step.kept), len(pool.groups))
        for at in step.kept:
            for item in pool.groups[at].items:
                name = limit_of(item)
                name = pool.limits[-1] if name in pool.limits and at > gap and pool.limits else name
                out[name] += item.tokens
    return out
