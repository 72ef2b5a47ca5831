"""One context build: a scenario and settings in, a trace out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ctxcore.budget import MEDIA, Budget, reserve_for, with_limits
from ctxcore.counting.models import Model
from ctxcore.counting.models import model as model_called
from ctxcore.counting.tokens import counter_for
from ctxcore.counting.totals import fixed_cost
from ctxcore.defaults import built_in_services
from ctxcore.errors import InputError, StageError
from ctxcore.gathering import gathered
from ctxcore.guarding.shielded import shielded
from ctxcore.payload import Payload
from ctxcore.running import Snapshot, run
from ctxcore.scenario import Scenario
from ctxcore.services import Counter, Services
from ctxcore.settings import DEFAULT_MODEL, Settings, settings_for
from ctxcore.stage import Stage, conditions, with_options
from ctxcore.stages import OPTIONAL, STAGES
from ctxcore.stages.edited import Edited
from ctxcore.stages.gather import preloaded
from ctxcore.stages.guardrail import GuardrailStage
from ctxcore.stages.media_limit import MediaLimit
from ctxcore.stages.muted import Muted
from ctxcore.systems import System, system_called
from ctxcore.trace import Trace


def build(
    scenario: Scenario, settings: Settings | None = None, *, services: Services | None = None, **given: Any
) -> Trace:
    """Run the pipeline that `settings` (or the keywords of `Settings`) ask for.

    Calls no model and no network. Raises InputError or BudgetError where the call is wrong; a payload that cannot
    fit is no error but a trace with `fits` false and the problem that says why. A stage that raises is a StageError,
    with the trace as far as it came.
    """
    watched = (services or built_in_services()).watched()
    plan = planned(scenario, settings or settings_for(scenario, given), watched)
    try:
        return plan.trace(run(plan.stages, plan.payload, plan.services, plan.conditions))
    except StageError as error:
        error.trace = plan.trace(cast("tuple[Snapshot, ...]", error.snapshots))
        raise


@dataclass(frozen=True)
class Plan:
    """What will be run: nothing has been yet."""

    asked: Settings
    system: System
    model_name: str
    stages: tuple[Stage, ...]
    conditions: Mapping[str, str]
    payload: Payload
    services: Services

    def trace(self, snapshots: tuple[Snapshot, ...]) -> Trace:
        start, parts = self.payload, (self.asked, self.system, self.model_name)
        return Trace(*parts, start.model, start.budget, start.scenario, snapshots, self.services.shield)


def planned(scenario: Scenario, asked: Settings, services: Services) -> Plan:
    """Raises InputError or BudgetError where the call is wrong."""
    name = model_name(scenario, asked)
    system, model, counter = system_called(asked.system), model_called(name), counter_for(name)
    if asked.query:
        scenario = scenario.with_query(asked.query)
    budget = budget_for(scenario, asked, system, model, counter)
    stages = with_edits(stages_for(asked, system), asked)
    when = conditions(stages, {path: text for path, text in asked.options if path.endswith(".when")})
    payload = Payload(
        scenario, model, counter, budget, tools=scenario.tools, pins=asked.pins, priorities=asked.priorities
    )
    used = guarded(services, stages, payload)
    if system.preloaded:
        payload = preloaded(payload, used)
    stages = with_media_limit(stages, budget, first=system.preloaded)
    return Plan(asked, system, name, with_mutes(stages, asked, first=system.preloaded), when, payload, used)


def guarded(services: Services, stages: Sequence[Stage], payload: Payload) -> Services:
    """The services with fresh placeholders, where a guardrail is switched on among the stages."""
    guard = next((stage for stage in stages if isinstance(stage, GuardrailStage) and stage.enabled), None)
    if guard is None:
        return services

    def inputs() -> Iterator[str]:
        found = gathered(payload.scenario, payload.model, payload.counter)
        return (item.text for item in found.items)

    return shielded(services, guard.shield(inputs))


def model_name(scenario: Scenario, asked: Settings) -> str:
    """The model that the user names, or the one that the request was made for, or the default."""
    requested = scenario.extra.get("model")
    return asked.model or (requested if isinstance(requested, str) and requested else DEFAULT_MODEL)


def budget_for(scenario: Scenario, asked: Settings, system: System, model: Model, counter: Counter) -> Budget:
    window = (
        asked.window
        if asked.window is not None
        else (model.window if asked.model else min(system.window, model.window))
    )
    reserve = reserve_for(window, asked.reserve, system.native_reserve(asked.variant, window))
    first = any(m.get("role") in ("system", "developer") for m in scenario.messages[:1])
    fixed = sum(fixed_cost(model, counter, scenario.tools, first, scenario.form))
    return with_limits(system.budget(asked.variant, window, reserve, fixed), dict(asked.limits))


def build_budget(scenario: Scenario, asked: Settings) -> Budget:
    """The budget that a build with these settings would have, without building. Raises BudgetError."""
    name = model_name(scenario, asked)
    return budget_for(scenario, asked, system_called(asked.system), model_called(name), counter_for(name))


def stages_for(asked: Settings, system: System) -> tuple[Stage, ...]:
    """The system's stages, or those named, in that order, with the options set. Raises InputError for unknown names."""
    stages: Sequence[Stage] = system.stages(asked.variant)
    if asked.stages is not None:
        own = {stage.name: stage for stage in stages}
        if unknown := [name for name in asked.stages if name not in STAGES]:
            raise InputError("no-stage-at-all", name=unknown[0], there=list(STAGES))
        stages = [own.get(name) or STAGES[name]() for name in asked.stages]
    stages = with_optional(stages, system, {path.rpartition(".")[0] for path, _ in asked.options})
    options = {path: value for path, value in asked.options if not path.endswith(".when")}
    return with_options(stages, options)


def with_optional(stages: Sequence[Stage], system: System, named: Collection[str]) -> tuple[Stage, ...]:
    """Stages of `OPTIONAL` that are named by an option and are not there yet, right behind what loads: whoever changes
    the order of the others does not switch the guardrail off."""
    there = {stage.name for stage in stages}
    more = tuple(STAGES[name]() for name in OPTIONAL if name in named and name not in there)
    at = 0 if system.preloaded else 1
    return (*stages[:at], *more, *stages[at:])


def with_edits(stages: Sequence[Stage], asked: Settings) -> tuple[Stage, ...]:
    """The stages with the user's changes of text as stages of their own, right after the one they were made at."""
    out: list[Stage] = []
    for stage in stages:
        out.append(stage)
        made = [edit for edit in asked.edits if edit.stage == stage.name]
        out += [Edited(edit.item, edit.text, f"edit-{asked.edits.index(edit) + 1}") for edit in made]
    return tuple(out)


def with_mutes(stages: tuple[Stage, ...], asked: Settings, *, first: bool) -> tuple[Stage, ...]:
    """The stages with the user's mutes as one of its own, as soon as there are items: `first` where they are there from
    the start."""
    if not asked.mutes or not stages:
        return stages
    at = 0 if first else 1
    return (*stages[:at], Muted(asked.mutes), *stages[at:])


def with_media_limit(stages: tuple[Stage, ...], budget: Budget, *, first: bool) -> tuple[Stage, ...]:
    """The stages with the one that holds the limit of media, where the user set it: as soon as there are items."""
    if not stages or all(limit.name != MEDIA for limit in budget.limits):
        return stages
    at = 0 if first else 1
    return (*stages[:at], MediaLimit(), *stages[at:])
