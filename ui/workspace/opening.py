"""Which workspace does a new tab get? The one of the address, a copy of somebody else's, the last one, or a new one."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ctxcore.comparing.demos import DEMOS
from ctxcore.errors import CtxError
from ctxcore.systems import SYSTEMS, VARIANTS
from ui.compare import sides
from ui.compare.sides import PARTS
from ui.sources import shipped
from ui.store import KeptStore, Saved, StoreError
from ui.workspace import address, history, link
from ui.workspace.history import History
from ui.workspace.workspace import VIEW_FIELDS, Workspace

Notice = tuple[str, dict[str, object]]


@dataclass(frozen=True, slots=True)
class Opened:
    id: str
    workspace: Workspace
    rev: int = 0  # 0 = not in the store yet
    generations: Mapping[str, int] | None = None  # part of the widgets' keys: a restart must not change them
    saved: Mapping[str, Any] | None = None  # what lies in the store
    history: History = field(default_factory=history.empty)
    notices: tuple[Notice, ...] = ()
    parent: str = ""  # the workspace that it is a copy of
    is_first: bool = False  # nothing was ever kept here, and no link was followed


def new_id() -> str:
    return secrets.token_urlsafe(9)


def body_of(workspace: Workspace, generations: Mapping[str, int], done: History) -> dict[str, Any]:
    """What is saved of a workspace."""
    return {"workspace": workspace.to_plain(), "generations": dict(generations), "history": dict(done)}


def open_workspace(store: KeptStore, owner: str, query: Mapping[str, str]) -> Opened:
    """`query` is the address's; it may name a workspace, settings, both or nothing."""
    if not link.NAMES.isdisjoint(query):
        opened = _by_link(store, owner, query)
        return opened or Opened(new_id(), as_shipped(Workspace(), ""), notices=(("state.broken_link", {}),))
    linked = address.LINKED & query.keys()
    saved = store.load(query["ws"]) if "ws" in query else None if linked else store.latest(owner)
    if saved is None:
        is_first = not linked and "ws" not in query
        opened = Opened(new_id(), as_shipped(Workspace(), ""), is_first=is_first)
    elif saved.owner == owner:
        opened = _own(saved)
    else:
        opened = _copied(store, saved, owner)
    return _follow_link(opened, query)


def as_shipped(workspace: Workspace, name: str) -> Workspace:
    """The workspace with a built-in scenario as it ships. What named parts of the old scenario goes."""
    scenario = shipped.shipped(name)
    fresh: dict[str, Any] = {"revision": "", "pins": (), "mutes": (), "priorities": {}, "edits": ()}
    fresh |= {"stage": "", "run_to": "", "demo": "", "questions": ""}
    return replace(workspace, scenario=scenario.name, **fresh, **shipped.settings_of(scenario))


def _own(saved: Saved) -> Opened:
    workspace = _still_there(Workspace.from_plain(saved.settings["workspace"]))
    done = history.read(saved.settings.get("history"))
    return Opened(saved.id, workspace, saved.rev, saved.settings["generations"], saved.settings, history=done)


def _still_there(workspace: Workspace) -> Workspace:
    """A newer ctxcore may ship without the built-in scenario that a workspace names."""
    gone = not workspace.revision and not shipped.is_there(workspace.scenario)
    return as_shipped(workspace, "") if gone else workspace


def _copied(store: KeptStore, saved: Saved, owner: str) -> Opened:
    given = _still_there(Workspace.from_plain(saved.settings["workspace"]))
    return replace(_taken(store, given, saved.owner, owner), parent=saved.id)


def _taken(store: KeptStore, workspace: Workspace, whose: str, owner: str) -> Opened:
    """A workspace of somebody as one's own, with the texts that it names."""
    revisions, texts = workspace.names()
    try:
        for revision in revisions or ("",):
            store.copy(revision, texts, (whose, owner))
    except StoreError:
        return Opened(new_id(), as_shipped(Workspace(), ""), notices=(("state.not_copied", {}),))
    return Opened(new_id(), workspace, saved={}, notices=(("state.copied", {}),))


def _by_link(store: KeptStore, owner: str, query: Mapping[str, str]) -> Opened | None:
    """What a link holds, or names in the store. None where there is none, or where it cannot be read."""
    if link.SHARE in query:
        share = store.shared(query[link.SHARE])
        if share is not None and (given := link.of_share(share.body)) is not None:
            return replace(_taken(store, _still_there(given), share.owner, owner), parent=str(share.body.get("of", "")))
    elif link.STATE in query and (found := link.read(query[link.STATE])) is not None:
        changes, refused = found
        try:
            shown = as_shipped(Workspace(), str(changes.pop("scenario", "")))
        except CtxError:
            shown, refused = as_shipped(Workspace(), ""), [*refused, "scenario"]
        notices: tuple[Notice, ...] = (("state.refused_link", {"names": ", ".join(refused)}),) if refused else ()
        return Opened(new_id(), replace(shown, **changes), saved={}, notices=notices)
    return None


def _follow_link(opened: Opened, query: Mapping[str, str]) -> Opened:
    known: dict[str, Collection[str]] = {"system": SYSTEMS, "variant": VARIANTS, "language": ("en", "zh")}
    known["scenario"] = (*shipped.names(), *DEMOS, opened.workspace.scenario)
    known |= {"demo": DEMOS, "part": PARTS}
    changes, refused = address.read_link(query, known)
    workspace, notices = opened.workspace, opened.notices
    if (demo := changes.pop("demo", "")) and demo != workspace.demo:
        workspace, opened = (
            sides.as_demo(as_shipped(workspace, DEMOS[demo].sources().name), demo),
            Opened(new_id(), workspace),
        )
        changes = {name: value for name, value in changes.items() if name in VIEW_FIELDS}
    name = changes.pop("scenario", workspace.scenario)
    try:
        if name != workspace.scenario:  # in a workspace of its own: the edits of the other one stay where they are
            workspace, opened = as_shipped(workspace, name), Opened(new_id(), workspace)
    except CtxError:
        refused.append("scenario")
    if refused:
        notices = (*notices, ("state.refused_link", {"names": ", ".join(refused)}))
    return replace(opened, workspace=replace(workspace, **changes), notices=notices)
