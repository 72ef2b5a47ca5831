"""The survival of every item where Select decides: all budgets at once, and the last measurement where it matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcore.budget import MEDIA
from ctxcore.build import build, stages_for
from ctxcore.item import Item
from ctxcore.services import Counter, Services
from ctxcore.settings import Settings
from ctxcore.stages.construct import Construct
from ctxcore.stages.gather import Gather
from ctxcore.stages.select import Select
from ctxcore.stages.summarize import Summarize
from ctxcore.systems.system import System
from ctxcore.trace import Trace
from ctxcore.tuning.axis import Array, Axis, budgets_of
from ctxcore.tuning.edges import either, holds_at, spans_of
from ctxcore.tuning.filling import Filling
from ctxcore.tuning.survival import Life
from ctxcore.tuning.writing import risky, written


@dataclass(frozen=True, slots=True)
class Deciding:
    """The stages that decide, where they are Article 1's."""

    select: Select
    summarize: Summarize
    construct: Construct


def deciding(asked: Settings, system: System, counter: Counter) -> Deciding | None:
    """None where other stages are at work, or what Select admits may still be dropped for its target."""
    stages = stages_for(asked, system)
    if tuple(type(stage) for stage in stages) != (Gather, Select, Summarize, Construct) or asked.edits:
        return None
    if MEDIA in dict(asked.limits):  # a stage of its own holds it
        return None
    if any(path.endswith(".when") for path, _ in asked.options):
        return None
    _, select, summarize, construct = stages
    assert isinstance(select, Select)
    assert isinstance(summarize, Summarize)
    assert isinstance(construct, Construct)
    if select.min_target <= 2 * counter.count(summarize.marker):
        return None  # a target may be too small for the mark
    return Deciding(select, summarize, construct)


def selected(
    axis: Axis, trace: Trace, services: Services | None, tries: int | None
) -> tuple[tuple[Life, ...], int] | None:
    """The lives of all items and the number of unproven budgets; None where other stages than Select's are at work."""
    found = deciding(axis.settings, trace.system, trace.counter)
    if found is None or axis.over == MEDIA:
        return None
    payload = next(snapshot.before for snapshot in trace.snapshots if snapshot.name == found.select.name)
    construct = found.construct
    filling = Filling(found.select, payload, budgets_of(axis))
    kept = written(payload.items, filling, construct)
    unproven = 0
    if construct.safety_net and axis.step == 1:
        places = risky(payload, filling, construct, kept)
        unproven = _measure(axis, services, filling, kept, places, tries) if len(places) else 0
    return _lives(axis, trace.snapshots[0].items, filling, kept), unproven


def _lives(axis: Axis, items: Sequence[Item], filling: Filling, kept: dict[str, Array]) -> tuple[Life, ...]:
    import numpy as np

    out, nowhere = [], np.zeros(0, np.int64)
    for item in items:
        aims = np.array(sorted(filling.aims.get(item.id, ())), np.int64)
        breaks = np.flatnonzero(np.diff(aims) > 1) + 1
        runs = [run for run in np.split(aims, breaks) if len(run)]
        short = tuple((int(axis.tokens(run[0])), int(axis.tokens(run[-1] + 1))) for run in runs)
        out.append(Life(item, spans_of(axis.tokens(kept.get(item.id, nowhere))), short))
    return tuple(out)


def _measure(
    axis: Axis, services: Services | None, filling: Filling, kept: dict[str, Array], places: Array, tries: int | None
) -> int:
    """Build where the last measurement may take something out; the number of budgets for which that is left open.

    What follows Select hangs on what it kept, at which targets, and on the room: equal places are built once.
    """
    import numpy as np

    before = {key: holds_at(edges, places) for key, edges in kept.items()}
    aims = [[known.get(place, 0) for place in places.tolist()] for known in filling.aims.values()]
    recent = [holds_at(edges, places) for edges in filling.recent.values()]
    columns = [*before.values(), *aims, *recent, filling.room[places]]
    states = np.ascontiguousarray(np.stack([np.asarray(column, np.int32) for column in columns], axis=1))
    found: dict[bytes, list[int]] = {}
    for row, state in enumerate(states):
        found.setdefault(state.tobytes(), []).append(row)
    changed: dict[str, list[int]] = {}
    for rows in list(found.values())[:tries]:
        built = build(axis.scenario, axis.at(axis.start + int(places[rows[0]])), services=services)
        left = {item.id for item in built.final.items}
        for key in kept:
            if before[key][rows[0]] != (key in left):
                changed.setdefault(key, []).extend(rows)
    for key, rows in changed.items():
        flipped = np.sort(places[rows])
        kept[key] = either(kept[key], flipped, flipped + 1)
    return sum(len(rows) for rows in list(found.values())[tries:]) if tries is not None else 0
