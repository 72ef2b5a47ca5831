"""The kinds of things that are kept: what each is called, what one line says of it, how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ctxcore.measuring.measured import from_json
from ctxcore.pipeline import Pipeline
from ui.knowledge import bases
from ui.library import bodies
from ui.measure.measured import layout_under
from ui.sources.scenarios import FRESH, save_scenario, scenario_of
from ui.stages import kept
from ui.store import Thing
from ui.tune import presets
from ui.words import number, t
from ui.workspace import state
from ui.workspace.workspace import Workspace

PLAYGROUND = "pages/debug/playground.py"


Changes = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    icon: str
    page: str  # the file of the page where one is when it is open
    told: Callable[[Mapping[str, Any]], str]
    opened: Callable[[Thing, Workspace], Changes] | None = None  # what it changes; None: a version of the prompt
    linked: bool = True  # whether a link can hold it: not what lies under its name in its owner's store


def _scenario(thing: Thing, _: Workspace) -> Changes:
    revision = str(thing.body["revision"])
    return {"scenario": thing.name, "revision": revision, "imported": revision, **FRESH}


def _run(thing: Thing, now: Workspace) -> Changes:
    given = replace(Workspace.from_plain(thing.body["workspace"]), language=now.language)
    return {name: getattr(given, name) for name in given.to_plain()}


def _pipeline(thing: Thing, now: Workspace) -> Changes:
    return kept.changes_to(replace(Pipeline.from_json(thing.body), name=thing.name), now)


def _told_run(body: Mapping[str, Any]) -> str:
    kept = body["workspace"]
    facts = {"total": number(body["total"]), "room": number(body["room"]), "items": body["items"], "of": body["of"]}
    return f"{kept['scenario']} · {kept['system']} {kept['variant']} · {t('library.told.run', **facts)}"


def _told_comparison(body: Mapping[str, Any]) -> str:
    totals = f"{number(body['total'])} | {number(body['other_total'])}"
    return f"{body['workspace']['scenario']} · A {body['first']} | B {body['second']} · {totals}"


def _told_pipeline(body: Mapping[str, Any]) -> str:
    return f"{body['system']} · {', '.join(body['stages'] or ()) or t('library.told.own_order')}"


def _told_curve(body: Mapping[str, Any]) -> str:
    return f"{body['model']} · {body['date']} · {t('library.told.answers', count=len(body['seen']))}"


KINDS: Mapping[str, Kind] = {
    "scenario": Kind(
        "description",
        PLAYGROUND,
        lambda body: t("library.told.scenario", messages=body["messages"], records=body["records"]),
        _scenario,
    ),
    "run": Kind("play_circle", PLAYGROUND, _told_run, _run),
    "comparison": Kind("compare_arrows", "pages/debug/compare.py", _told_comparison, _run),
    "prompt": Kind(
        "psychology",
        "pages/debug/sources.py",
        lambda body: t("library.told.prompt", tokens=body["tokens"], tools=len(body["tools"])),
    ),
    "pipeline": Kind("account_tree", "pages/debug/pipeline.py", _told_pipeline, _pipeline),
    presets.KIND: Kind(
        "tune",
        PLAYGROUND,
        lambda body: f"{body['system']} {body['variant']} · {t('control.window')} {number(int(body['window']))}",
        lambda thing, now: presets.changes_to(thing.body, now),
    ),
    bases.KIND: Kind(
        "menu_book",
        "pages/debug/knowledge.py",
        lambda body: t("library.told.knowledge", count=body["documents"]),
        lambda thing, _: {"base": thing.name},
        linked=False,
    ),
    "curve": Kind("show_chart", PLAYGROUND, _told_curve, lambda thing, now: layout_under(from_json(thing.body), now)),
}


def open_thing(thing: Thing) -> None:
    """One undo brings back what was there."""
    if opened := KINDS[thing.kind].opened:
        state.put(**opened(thing, state.workspace()))
    else:
        save_scenario(bodies.with_prompt(scenario_of(state.workspace()), thing.body), renew=True)


def view_of(thing: Thing, now: Workspace) -> Workspace | None:
    """The workspace with the thing open, as a link shows it; None for what no link can hold."""
    kind = KINDS[thing.kind]
    return replace(now, **kind.opened(thing, now)) if kind.opened and kind.linked else None


def told(thing: Thing) -> str:
    """One line about it; nothing where another ctxcore kept it in another shape."""
    try:
        return KINDS[thing.kind].told(thing.body)
    except (KeyError, TypeError, ValueError):
        return ""
