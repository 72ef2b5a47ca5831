"""The workspace of this tab: read it, change it, undo it. It survives page switches, refreshes and restarts.

A widget shows what the workspace says, and what it returns goes back there:

    change(window=st.slider(t("budget.window"), 1_000, 128_000, workspace().window, key=key("window")))

Nothing hangs on `on_change` alone: after a restart of the server the first edit arrives without its callback.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from ui.store import KeptStore, default_url
from ui.workspace import address, address_line, history, opening, saving
from ui.workspace.history_names import name_of
from ui.workspace.owner import owner
from ui.workspace.workspace import VIEW_FIELDS, Workspace

SETTINGS, TAB = "_settings", "_tab"  # keys of the session: the workspace as a dict; what belongs to this tab
WELCOME = "_welcome"  # … and whether somebody is here for the first time


@st.cache_resource(show_spinner=False)
def _store(url: str) -> KeptStore:
    return KeptStore(url)


def store() -> KeptStore:
    return _store(default_url())


def begin() -> None:
    """First thing in every run: opens the workspace that the address names, and writes the address."""
    if SETTINGS not in st.session_state:
        _open()
    elif address_line.went_back():
        put(**address.read_back(st.query_params.to_dict(), workspace()))
    _write_address()


def finish() -> None:
    """Last thing in every run: saves what is not saved yet. Nothing is open where this run has left its workspace."""
    if SETTINGS in st.session_state:
        _save(again=store().trouble is not None)
        _write_address()


def look_around() -> bool:
    """Once a run, when all is saved: takes over what another tab of this workspace did; whether there was anything."""
    found = None if store().trouble else saving.look(store(), _tab(), owner())
    if found is not None:
        _take_over(found)
    return found is not None


def workspace() -> Workspace:
    """As it is now; before `begin` the default one, for the words of an error there."""
    return Workspace.from_plain(st.session_state.get(SETTINGS, {}))


def chosen_language() -> str:
    """en, zh or "": asked for with every string, so without making a Workspace."""
    return st.session_state.get(SETTINGS, {}).get("language", "")


def change(told: history.Named | None = None, /, **changes: Any) -> None:
    """Takes over what a widget returned. Does nothing where nothing changed. `told`: its name in the history."""
    _remember(_apply(changes), told)


def put(told: history.Named | None = None, /, **changes: Any) -> None:
    """A change that no widget of that field made: the widgets that show what changed read it anew."""
    old = _apply(changes)
    _renew(old)
    _remember(old, told)


def key(field: str, *more: str) -> str:
    """A widget's key. It names the field that the widget shows, so that `put`, undo and redo can renew the widget; and
    the language, whose labels the browser would go on showing."""
    generation = _tab()["generations"].get(field, 0)
    return ".".join((f"{generation}{chosen_language()}:{field}", *more))


def done() -> history.History:
    """What was changed, and how much of it is not undone."""
    return cast(history.History, _tab()["history"])


def can(verb: str) -> bool:
    """Whether there is something to "undo" or to "redo"."""
    return done()["at"] > 0 if verb == "undo" else done()["at"] < len(done()["steps"])


def id_of_tab() -> str:
    return str(_tab()["id"])


def leave() -> None:
    """The next run opens the workspace that its address names."""
    del st.session_state[SETTINGS], st.session_state[TAB]


def step(by: int) -> None:
    """Undo (-1) or redo (+1)."""
    jump(done()["at"] + by)


def jump(at: int) -> None:
    """To where the first `at` steps of the history are done, and no other."""
    if 0 <= at <= len(done()["steps"]):
        old = _apply(Workspace.values(history.changes_to(done(), at)))
        _renew(old)
        _tab()["history"] = history.moved(done(), at)
        _save()
        _write_address()


def notify(words_key: str, /, **facts: object) -> None:
    """Says something once, when the next frame is drawn."""
    _tab()["notices"].append((words_key, facts))


def take_notices() -> list[opening.Notice]:
    taken, _tab()["notices"] = _tab()["notices"], []
    return taken


def _open() -> None:
    opened = opening.open_workspace(store(), owner(), st.query_params.to_dict())
    generations = dict(opened.generations or {})
    # A workspace is first written when it is changed; one that was copied or linked to is changed already.
    saved = opening.body_of(opened.workspace, generations, opened.history) if opened.saved is None else opened.saved
    st.session_state[SETTINGS] = opened.workspace.to_plain()
    st.session_state[WELCOME] = opened.is_first
    st.session_state[TAB] = {
        "id": opened.id,
        "rev": opened.rev,
        "saved": saved,
        "generations": generations,
        "history": opened.history or history.empty(),
        "notices": list(opened.notices),
        "parent": opened.parent,
        "copies": [],
    }


def _tab() -> dict[str, Any]:
    return st.session_state[TAB]


def _apply(changes: dict[str, Any]) -> dict[str, Any]:
    """Makes the changes; gives the old values of the fields that differ, as plain values."""
    before, after = workspace().to_plain(), replace(workspace(), **changes).to_plain()
    old = {name: before[name] for name in changes if before[name] != after[name]}
    if old:
        st.session_state[SETTINGS] = after
    return old


def _renew(changed: Collection[str]) -> None:
    if "scenario" in changed:  # widgets that show its texts hang on the revision, which two built-in ones do not have
        changed = {*changed, "revision"}
    generations = _tab()["generations"]
    _tab()["generations"] = {**generations, **{name: generations.get(name, 0) + 1 for name in changed}}


def _remember(old: dict[str, Any], told: history.Named | None) -> None:
    """A step of the history, where one has changed more than where one looks; saves, and writes the address."""
    before = {name: value for name, value in old.items() if name not in VIEW_FIELDS}
    if before:
        after = {name: st.session_state[SETTINGS][name] for name in before}
        _tab()["history"] = history.with_step(done(), told or name_of(before, after), before, after)
    if old:
        _save()
        _write_address()


def _save(again: bool = False) -> None:
    tab = _tab()
    body = opening.body_of(workspace(), tab["generations"], tab["history"])
    if body != tab["saved"] or again:
        kept = saving.save(store(), tab, body, owner())
        if kept is not body:
            _take_over(kept)


def _take_over(body: Mapping[str, Any]) -> None:
    """What another tab did, as this one's."""
    st.session_state[SETTINGS] = dict(body["workspace"])
    _tab()["generations"], _tab()["history"] = dict(body["generations"]), history.read(body["history"])


def _write_address() -> None:
    address_line.write(_tab()["id"], workspace())
