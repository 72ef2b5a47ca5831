"""One set of settings on many scenarios: a row each, the best split over all, and the case that takes it worst."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from ctxcore.build import build
from ctxcore.linting.lint import lint
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.trace import Trace
from ctxcore.tuning.objective import Objective, score
from ctxcore.tuning.splitting import best_split
from ctxcore.tuning.spreading import spread
from ctxcore.tuning.survival import Survival, survival


@dataclass(frozen=True, slots=True)
class Job:
    scenario: Scenario
    settings: Settings
    over: str = ""
    objective: Objective | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One scenario. `lost` are must-keep texts; `cents` is the price of one call, None where no price is known."""

    name: str
    fits: bool
    lost: tuple[str, ...]
    wanted: int
    total: int
    room: int
    fill: float  # of the window
    cents: float | None
    refused: tuple[Mapping[str, Any], ...]  # errors of the payload, as `lint` reports them

    @property
    def ok(self) -> bool:
        return self.fits and not self.lost and not self.refused


def rows(jobs: Sequence[Job], executor: Executor | None = None) -> tuple[Row, ...]:
    return spread(row, jobs, executor)


def row(job: Job) -> Row:
    trace = build(job.scenario, job.settings)
    wanted = job.scenario.must_keep
    price = trace.model.input_price
    total = trace.totals.total
    return Row(
        job.scenario.name,
        trace.fits,
        tuple(text for text in wanted if trace.story(text).fate != "kept"),
        len(wanted),
        total,
        trace.budget.room,
        total / max(1, trace.budget.window),
        None if price is None else 100 * total * price / 1_000_000,
        tuple(f.to_json() for f in lint(trace.messages, trace.tools) if f.severity == "error"),
    )


def sweeps(jobs: Sequence[Job], executor: Executor | None = None) -> tuple[Survival, ...]:
    """The survival of every job's scenario along the axis `over` that it names."""
    return spread(_sweep, jobs, executor)


def _sweep(job: Job) -> Survival:
    return survival(job.scenario, job.settings, job.over)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A split, where it comes from, its J on each scenario, and the scenario that takes it worst."""

    origin: str  # name of the scenario whose best split it is; "" for the settings as they are
    limits: Mapping[str, int]
    scores: tuple[float, ...]
    lost: tuple[int, ...]  # must-keep texts that it loses in each scenario

    @property
    def worst(self) -> int:
        return min(range(len(self.scores)), key=lambda at: (-self.lost[at], self.scores[at]))

    @property
    def rank(self) -> tuple[float, float, float]:
        """Fewest facts lost in all, then the best worst case, then the best mean."""
        return -sum(self.lost), min(self.scores), fmean(self.scores)


def best_over_all(jobs: Sequence[Job], executor: Executor | None = None) -> tuple[Candidate, ...]:
    """The settings as they are and each scenario's own best split, tried on every scenario; the best first."""
    splits: list[tuple[str, Mapping[str, int]]] = [("", {})]
    splits += [(job.scenario.name, limits) for job, limits in zip(jobs, spread(_split, jobs, executor), strict=True)]
    tried = [replace(job, settings=_with(job.settings, limits)) for _, limits in splits for job in jobs]
    found = spread(_scored, tried, executor)
    size = len(jobs)
    out = []
    for at, (origin, limits) in enumerate(splits):
        part = found[at * size : (at + 1) * size]
        out.append(Candidate(origin, limits, tuple(j for j, _ in part), tuple(lost for _, lost in part)))
    return tuple(sorted(out, key=lambda one: one.rank, reverse=True))


def _split(job: Job) -> Mapping[str, int]:
    trace = build(job.scenario, job.settings)
    return best_split(trace, _objective(job)).limits


def _scored(job: Job) -> tuple[float, int]:
    trace: Trace = build(job.scenario, job.settings)
    found = score(trace, _objective(job))
    return found.total - (0 if trace.fits else 1), len(found.lost)


def _objective(job: Job) -> Objective:
    """Each scenario's own facts replace guesses about it."""
    base = job.objective or Objective()
    return replace(base, importance=replace(base.importance, facts=job.scenario.must_keep or base.facts))


def _with(settings: Settings, limits: Mapping[str, int]) -> Settings:
    typed = dict(settings.limits) | {name: str(tokens) for name, tokens in limits.items()}
    return replace(settings, limits=tuple(typed.items()))
