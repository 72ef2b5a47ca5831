"""The kinds of things that are kept: what each is called, what one line says of it, how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ctxcore.pipeline import Pipeline
from ui.knowledge import bases
from ui.library import bodies
from ui.measure.measured import MEASURED
from ui.sources.scenarios import FRESH, save_scenario, scenario_of
from ui.stages.kept import put_pipeline
from ui.store import Thing
from ui.tune import presets
from ui.words import number, t
from ui.workspace import state
from ui.workspace.workspace import Workspace

PLAYGROUND = "pages/debug/playground.py"


@dataclass(frozen=True, slots=True)
class Kind:
    icon: str
    page: str  # where one is when it is open
    open: Callable[[Thing], None]
    told: Callable[[Mapping[str, Any]], str]


def _open_scenario(thing: Thing) -> None:
    revision = str(thing.body["revision"])
    state.put(scenario=thing.name, revision=revision, imported=revision, **FRESH)


def _open_run(thing: Thing) -> None:
    kept = replace(Workspace.from_plain(thing.body["workspace"]), language=state.workspace().language)
    state.put(**{name: getattr(kept, name) for name in kept.to_plain()})


def _open_prompt(thing: Thing) -> None:
    save_scenario(bodies.with_prompt(scenario_of(state.workspace()), thing.body), renew=True)


def _open_curve(thing: Thing) -> None:
    from ctxcore.measuring.measured import from_json

    if text := from_json(thing.body).as_text():
        state.put(options={**state.workspace().options, MEASURED: text}, view="layout", stage="")


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
        _open_scenario,
        lambda body: t("library.told.scenario", messages=body["messages"], records=body["records"]),
    ),
    "run": Kind("play_circle", PLAYGROUND, _open_run, _told_run),
    "comparison": Kind("compare_arrows", "pages/debug/compare.py", _open_run, _told_comparison),
    "prompt": Kind(
        "psychology",
        "pages/debug/sources.py",
        _open_prompt,
        lambda body: t("library.told.prompt", tokens=body["tokens"], tools=len(body["tools"])),
    ),
    "pipeline": Kind(
        "account_tree",
        "pages/debug/pipeline.py",
        lambda thing: put_pipeline(replace(Pipeline.from_json(thing.body), name=thing.name)),
        _told_pipeline,
    ),
    presets.KIND: Kind(
        "tune",
        PLAYGROUND,
        lambda thing: presets.apply(thing.body),
        lambda body: f"{body['system']} {body['variant']} · {t('control.window')} {number(int(body['window']))}",
    ),
    bases.KIND: Kind(
        "menu_book",
        "pages/debug/knowledge.py",
        lambda thing: state.put(base=thing.name),
        lambda body: t("library.told.knowledge", count=body["documents"]),
    ),
    "curve": Kind("show_chart", PLAYGROUND, _open_curve, _told_curve),
}


def told(thing: Thing) -> str:
    """One line about it; nothing where another ctxcore kept it in another shape."""
    try:
        return KINDS[thing.kind].told(thing.body)
    except (KeyError, TypeError, ValueError):
        return ""
