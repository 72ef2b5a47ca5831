"""A plan: sub-tasks that need each other, as a graph without circles (article 3, c12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ctxcore.errors import InputError


@dataclass(frozen=True, slots=True)
class SubTask:
    """`needs` names the sub-tasks whose results this one is given."""

    name: str
    task: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    goal: str
    sub_tasks: tuple[SubTask, ...]


def plan_of(data: Mapping[str, Any]) -> Plan:
    """From JSON: `{"goal", "sub_tasks": [{"name", "task", "needs"}]}`. Raises InputError as `in_order` does."""
    given = data.get("sub_tasks")
    if (
        not isinstance(given, Sequence)
        or isinstance(given, str)
        or not all(isinstance(one, Mapping) and one.get("name") for one in given)
    ):
        raise InputError("plan-shape")
    made = tuple(
        SubTask(str(one["name"]), str(one.get("task") or one["name"]), tuple(map(str, one.get("needs") or ())))
        for one in given
    )
    plan = Plan(str(data.get("goal") or ""), made)
    in_order(plan)
    return plan


def in_order(plan: Plan) -> tuple[SubTask, ...]:
    """The sub-tasks, each after those that it needs, otherwise as given. Raises InputError for names that are not
    there or stand twice, and for a circle, which it names."""
    named = {one.name: one for one in plan.sub_tasks}
    if len(named) < len(plan.sub_tasks):
        twice = next(
            one.name
            for at, one in enumerate(plan.sub_tasks)
            if one.name in {other.name for other in plan.sub_tasks[:at]}
        )
        raise InputError("plan-twice", name=twice)
    for one in plan.sub_tasks:
        if missing := [need for need in one.needs if need not in named]:
            raise InputError("plan-needs", name=one.name, missing=missing[0], there=list(named))
    ordered: dict[str, SubTask] = {}
    while len(ordered) < len(named):
        ready = next(
            (one for one in plan.sub_tasks if one.name not in ordered and all(need in ordered for need in one.needs)),
            None,
        )
        if ready is None:
            circle = " → ".join(_circle({key: one for key, one in named.items() if key not in ordered}))
            raise InputError("plan-circle", circle=circle)
        ordered[ready.name] = ready
    return tuple(ordered.values())


def _circle(left: Mapping[str, SubTask]) -> list[str]:
    """Names along one circle, the first again at the end."""
    path: list[str] = []
    name = next(iter(left))
    while name not in path:
        path.append(name)
        name = next(need for need in left[name].needs if need in left)
    return [*path[path.index(name) :], name]
