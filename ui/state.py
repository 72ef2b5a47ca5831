"""The workspace of this tab: read it, change it, undo it. It survives page switches, refreshes and restarts.

A widget shows what the workspace says, and what it returns goes back there:

    change(window=st.slider(t("budget.window"), 1_000, 128_000, workspace().window, key=key("window")))

Nothing hangs on `on_change` alone: after a restart of the server the first edit arrives without its callback.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui import address, opening
from ui.owner import owner
from ui.store import ConflictError, KeptStore, Saved, default_url
from ui.workspace import VIEW_FIELDS, Workspace

MAX_UNDO = 100
SETTINGS, TAB = "_settings", "_tab"  # keys of the session: the workspace as a dict; what belongs to this tab


@st.cache_resource(show_spinner=False)
def _store(url: str) -> KeptStore:
    return KeptStore(url)


def store() -> KeptStore:
    return _store(default_url())


def begin() -> None:
    """First thing in every run: opens the workspace that the address names, and writes the address."""
    if SETTINGS not in st.session_state:
        _open()
    elif _went_back():
        put(**address.read_back(st.query_params.to_dict(), workspace()))
    _write_address()


def finish() -> None:
    """Last thing in every run: saves what is not saved yet."""
    _save(again=store().trouble is not None)
    _write_address()


def workspace() -> Workspace:
    """As it is now; the default one before `begin`, so that even an error there finds its words."""
    return Workspace.from_plain(st.session_state.get(SETTINGS, {}))


def chosen_language() -> str:
    """en, zh or "": asked for with every string, so without making a Workspace."""
    return st.session_state.get(SETTINGS, {}).get("language", "")


def change(**changes: Any) -> None:
    """Takes over what a widget returned. Does nothing where nothing changed."""
    _do(_apply(changes))


def put(**changes: Any) -> None:
    """A change that no widget of that field made: the widgets that show what changed read it anew."""
    old = _apply(changes)
    _renew(old)
    _do(old)


def key(field: str, *more: str) -> str:
    """A widget's key. It names the field that the widget shows, so that `put`, undo and redo can renew the widget."""
    generation = _tab()["generations"].get(field, 0)
    return ".".join((f"{generation}:{field}", *more))


def can(verb: str) -> bool:
    """Whether there is something to "undo" or to "redo"."""
    return bool(_tab()[verb])


def undo() -> None:
    _step("undo", "redo")


def redo() -> None:
    _step("redo", "undo")


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
    saved = opening.body_of(opened.workspace, generations) if opened.saved is None else opened.saved
    st.session_state[SETTINGS] = opened.workspace.to_plain()
    st.session_state[TAB] = {
        "id": opened.id,
        "rev": opened.rev,
        "saved": saved,
        "generations": generations,
        "undo": [],
        "redo": [],
        "notices": list(opened.notices),
    }


def _went_back() -> bool:
    """Whether this run comes from the browser's Back or Forward."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def _tab() -> dict[str, Any]:
    return st.session_state[TAB]


def _apply(changes: dict[str, Any]) -> dict[str, Any]:
    """Makes the changes; gives the old values of the fields that differ."""
    before = workspace()
    after = replace(before, **changes)
    old = {name: getattr(before, name) for name in changes if getattr(before, name) != getattr(after, name)}
    if old:
        st.session_state[SETTINGS] = after.to_plain()
    return old


def _renew(changed: Collection[str]) -> None:
    if "scenario" in changed:  # widgets that show its texts hang on the revision, which two built-in ones do not have
        changed = {*changed, "revision"}
    generations = _tab()["generations"]
    _tab()["generations"] = {**generations, **{name: generations.get(name, 0) + 1 for name in changed}}


def _do(old: dict[str, Any]) -> None:
    if _remember("undo", old):
        _tab()["redo"] = []


def _remember(pile: str, old: dict[str, Any]) -> bool:
    """Puts the old values on a pile, saves, and shows the new ones in the address. Whether there was one to undo."""
    undoable = {name: value for name, value in old.items() if name not in VIEW_FIELDS}
    if undoable:
        _tab()[pile] = [*_tab()[pile][1 - MAX_UNDO :], undoable]
    if old:
        _save()
        _write_address()
    return bool(undoable)


def _step(take: str, give: str) -> None:
    if _tab()[take]:
        *_tab()[take], changes = _tab()[take]
        old = _apply(changes)
        _renew(old)
        _remember(give, old)


def _save(again: bool = False) -> None:
    tab = _tab()
    body = opening.body_of(workspace(), tab["generations"])
    if body == tab["saved"] and not again:
        return
    try:
        tab["rev"] = store().save(_as_saved(body))
    except ConflictError:  # another tab was faster: both go on, this one under a name of its own
        tab["id"], tab["rev"] = opening.new_id(), 0
        notify("state.conflict")
        tab["rev"] = store().save(_as_saved(body))
    tab["saved"] = body


def _as_saved(body: dict[str, Any]) -> Saved:
    return Saved(_tab()["id"], owner(), _tab()["rev"], body, workspace().revision)


def _write_address() -> None:
    """Puts back what a click in the navigation takes from the address; other parameters are left alone."""
    now = st.query_params.to_dict()
    others = {name: value for name, value in now.items() if name not in address.LINKED}
    wanted = {**others, "ws": _tab()["id"], **address.write_link(workspace())}
    if _went_back() and "ws" in now:  # writing makes a new entry of the history: there would be no way back from here
        return
    if wanted != now:
        st.query_params.from_dict(wanted)
