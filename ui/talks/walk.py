"""A talk made from a run: what there is, what each stage does to it, what arrives, and where it lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ctxcore.catalogue import about
from ctxcore.decision import Action, Decision
from ctxcore.explaining.why import lights_of
from ctxcore.placing.placement import placement
from ctxcore.running import Snapshot
from ctxcore.stages import STAGES
from ctxcore.trace import Trace
from ui.runs import trace_of
from ui.said import says
from ui.talks.screen import Screen, Talk
from ui.words import language, number, t
from ui.workspace.workspace import Workspace

NAMED = 5  # losses in the notes of a screen
LOST = (Action.DROPPED, Action.COMPRESSED, Action.TRUNCATED)


def walk(title: str, now: Workspace) -> Talk:
    """A stage that changed nothing is no screen."""
    trace = trace_of(now)
    changed = [one for one in trace.snapshots[1:] if any(each.action in LOST for each in one.decisions)]
    return Talk(title, (_sources(trace, now), *(_stage(one, now) for one in changed), *_end(trace, now)))


def _screen(now: Workspace, view: str, stage: str, title: str, say: str, notes: str) -> Screen:
    there = replace(now, view=view, stage=stage)
    return Screen(title, say, notes, view, stage, lambda: trace_of(there), there)


def _sources(trace: Trace, now: Workspace) -> Screen:
    first, room = trace.snapshots[0], trace.budget.room
    by = Counter(item.source for item in first.items)
    facts = {"items": number(len(first.items)), "tokens": number(first.tokens_after), "room": number(room)}
    notes = "\n".join(f"{t(f'draw.source.{source}')}: {number(count)}" for source, count in by.most_common())
    return _screen(now, "treemap", first.name, t("walk.sources"), t("walk.sources_say", **facts), notes)


def _stage(one: Snapshot, now: Workspace) -> Screen:
    count = Counter(each.action for each in one.decisions)
    facts = {
        "before": number(one.tokens_before),
        "after": number(one.tokens_after),
        "dropped": number(count[Action.DROPPED]),
        "shorter": number(count[Action.COMPRESSED] + count[Action.TRUNCATED]),
    }
    does = about(STAGES[one.name], language()) if one.name in STAGES else one.name
    return _screen(now, "flow", one.name, one.name, f"{does} {t('walk.stage_say', **facts)}", "\n".join(_losses(one)))


def _losses(one: Snapshot) -> Iterator[str]:
    """The largest first, each with its reason."""
    lost: list[Decision] = [each for each in one.decisions if each.action in LOST]
    for each in sorted(lost, key=lambda each: each.after - each.before)[:NAMED]:
        yield f"{each.item}: {says(each.rule, each.facts)}"


def _end(trace: Trace, now: Workspace) -> Iterator[Screen]:
    last, totals = trace.snapshots[-1], trace.totals
    gone = {item.id for item in trace.inputs} - {item.id for item in last.items}
    facts = {"tokens": number(totals.total), "room": number(trace.budget.room), "lost": number(len(gone))}
    fits = t("walk.arrived_say" if trace.fits else "walk.over_say", **facts)
    texts = "\n".join(f"{text}: {t(f'why.light.{lights_of(trace, text)[-1][1]}')}" for text in trace.scenario.must_keep)
    yield _screen(now, "prompt", last.name, t("walk.arrived"), fits, texts)
    recall = f"{100 * placement(trace).expected:.0f}"
    yield _screen(now, "layout", last.name, t("walk.place"), t("walk.place_say", recall=recall), t("walk.place_notes"))
