"""The scenario of this workspace: get it, open another one, edit it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import streamlit as st

from ctxcore.comparing.demos import DEMOS
from ctxcore.counting.models import model
from ctxcore.errors import InputError
from ctxcore.importing.scenario_file import lent
from ctxcore.scenario import Scenario
from ctxcore.settings import Edit
from ctxcore.systems import SYSTEMS
from ui.compare import sides
from ui.settings.file_settings import read_settings
from ui.sources import shipped
from ui.words import literal
from ui.workspace import opening, state
from ui.workspace.history_names import edited
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

FRESH: dict[str, Any] = {  # what was set for another file
    "reserve": None,
    "pins": (),
    "mutes": (),
    "priorities": {},
    "edits": (),
    "stage": "",
    "run_to": "",
}
KEPT = 64  # scenarios in memory, of all users together


def scenario_of(workspace: Workspace) -> Scenario:
    """The same object as long as nothing was edited. Raises InputError if it is not to be found any more."""
    if workspace.revision:
        return _stored(owner(), workspace.revision)
    return shipped.shipped(workspace.scenario)


def open_builtin(name: str) -> None:
    _put_all(opening.as_shipped(state.workspace(), name))


def open_demo(name: str) -> None:
    """Sources and both sides of a demonstration; one undo brings back what was there."""
    sources = opening.as_shipped(state.workspace(), DEMOS[name].sources().name)
    _put_all(sides.as_demo(sources, name))


def is_edited(workspace: Workspace) -> bool:
    """Whether the scenario differs from what ships or was imported under its name."""
    return bool(workspace.revision) and workspace.revision != workspace.imported


def open_scenario(scenario: Scenario) -> None:
    """Takes an imported scenario into the workspace, with the settings that it brings, and says which model is set."""
    before, revision = state.workspace().model, keep_scenario(scenario)
    given, refused = read_settings(scenario.settings)
    settings: dict[str, Any] = {**FRESH, "model": Workspace().model, **given}
    if "window" not in given:  # as the core does it: the model's own, at most what the system is meant for
        system = SYSTEMS[settings.get("system", state.workspace().system)]
        settings["window"] = min(system.window, model(settings["model"]).window)
    state.put(scenario=scenario.name, revision=revision, imported=revision, **settings)
    if "model" in given:
        state.notify("sources.model_of_file", model=literal(settings["model"]), window=settings["window"])
    elif settings["model"] != before:
        state.notify("sources.model_default", model=literal(settings["model"]), window=settings["window"])
    if refused:
        state.notify("sources.settings_refused", names=literal(", ".join(refused)))


def save_scenario(scenario: Scenario, *, renew: bool = False) -> None:
    """Stores an edited scenario as the workspace's. `renew` if no widget that shows the text made the edit."""
    take = state.put if renew else state.change
    told = edited(scenario_of(state.workspace()), scenario)
    take(told, revision=keep_scenario(scenario), scenario=scenario.name)


def edits_of(workspace: Workspace) -> tuple[Edit, ...]:
    """What the user edited at stages, with the texts. An edit whose text is not to be had is left out."""
    found = ((edit, state.store().text(owner(), edit["text"])) for edit in workspace.edits)
    return tuple(Edit(edit["stage"], edit["item"], text) for edit, text in found if text is not None)


def edit_item(stage: str, item: str, text: str) -> None:
    """An edit made at a stage; a second one of the same item there takes the first one's place."""
    others = [edit for edit in state.workspace().edits if (edit["stage"], edit["item"]) != (stage, item)]
    edit = {"stage": stage, "item": item, "text": state.store().put_text(owner(), text)}
    state.change(edits=(*others, edit))


def take_back_edit(stage: str, item: str) -> None:
    kept = [edit for edit in state.workspace().edits if (edit["stage"], edit["item"]) != (stage, item)]
    state.put(edits=tuple(kept))


def keep_scenario(scenario: Scenario) -> str:
    """Its revision in the store."""
    revision = state.store().put_scenario(owner(), lent(scenario))
    _remember(owner(), revision, scenario)
    return revision


def _put_all(workspace: Workspace) -> None:
    plain = workspace.to_plain()
    state.put(**{name: getattr(workspace, name) for name in plain})


@st.cache_resource(show_spinner=False)
def _recent() -> OrderedDict[tuple[str, str], Scenario]:
    """Scenarios in memory by owner and revision. An edited one shares with the one before what did not change."""
    return OrderedDict()


def _remember(whose: str, revision: str, scenario: Scenario) -> None:
    recent = _recent()
    recent[whose, revision] = scenario
    while len(recent) > KEPT:
        recent.popitem(last=False)


def _stored(whose: str, revision: str) -> Scenario:
    if (known := _recent().get((whose, revision))) is not None:
        return known
    data = state.store().scenario(whose, revision)
    if data is None:
        raise InputError("scenario-gone", revision=revision[:8])
    scenario = Scenario.from_json(data)
    _remember(whose, revision, scenario)
    return scenario
