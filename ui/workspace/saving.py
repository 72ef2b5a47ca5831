"""Writes what a tab has changed. Where another one was faster, nobody's work is lost, and both are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ui.store import ConflictError, KeptStore, Saved
from ui.workspace import opening
from ui.workspace.merging import CannotMergeError, merged

Tab = dict[str, Any]
Body = Mapping[str, Any]
TRIES = 3  # times that yet another tab may be faster


def save(store: KeptStore, tab: Tab, body: Body, owner: str) -> Body:
    """Saves it under the tab's rev; gives what lies in the store then: the same, or both where another tab did more."""
    for _ in range(TRIES):
        try:
            tab["rev"] = store.save(_row(tab, body, owner))
        except ConflictError:
            body = _both(store, tab, body, owner)
        else:
            break
    tab["saved"] = body
    return body


def _both(store: KeptStore, tab: Tab, body: Body, owner: str) -> Body:
    """What both tabs did, to be saved; where that cannot be one, this tab's, under an id of its own."""
    theirs = store.load(tab["id"])
    try:
        if theirs is None or theirs.owner != owner or not tab["saved"]:
            raise CannotMergeError(tab["id"])
        both, taken = merged(tab["saved"], body, theirs.settings)
    except (CannotMergeError, KeyError, TypeError, AttributeError):  # or it was kept by another ctxcore
        tab["parent"], tab["id"], tab["rev"] = tab["id"], opening.new_id(), 0
        tab["notices"].append(("state.conflict", {}))
        return body
    tab["rev"], tab["saved"] = theirs.rev, dict(theirs.settings)
    _tell(tab, taken)
    return both


def look(store: KeptStore, tab: Tab, owner: str) -> Body | None:
    """What others did since: another tab's changes, to be taken over, and copies that were made, which are told."""
    if not tab["rev"]:
        return None
    rev, copies = store.news(tab["id"])
    for copy, whose in copies.items():
        if copy not in tab["copies"]:
            tab["copies"].append(copy)
            tab["notices"].append(("state.forked" if whose == owner else "state.visited", {}))
    theirs = store.load(tab["id"]) if rev > tab["rev"] else None
    if theirs is None or theirs.owner != owner:
        return None
    try:
        both, taken = merged(tab["saved"], tab["saved"], theirs.settings)
    except (CannotMergeError, KeyError, TypeError, AttributeError):
        return None
    tab["rev"], tab["saved"] = theirs.rev, dict(theirs.settings)
    _tell(tab, taken)
    return both


def _tell(tab: Tab, taken: list[str]) -> None:
    if taken:
        tab["notices"].append(("state.merged", {"names": ", ".join(taken)}))


def _row(tab: Tab, body: Body, owner: str) -> Saved:
    row = Saved(tab["id"], owner, tab["rev"], body, body["workspace"]["revision"])
    return replace(row, parent=tab["parent"])
