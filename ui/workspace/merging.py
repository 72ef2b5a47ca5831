"""Two tabs changed the same workspace: what both did, as one; or nothing, where one changed what the other did too."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ui.workspace import history
from ui.workspace.workspace import VIEW_FIELDS

Plain = Mapping[str, Any]
WHOLE = ("scenario", "revision", "imported", "system")  # who changes one of them changes what all the others mean
BY_NAME = ("limits", "options", "priorities")  # name → value
MARKS = ("pins", "mutes")
MISSING = object()


class CannotMergeError(Exception):
    """Both changed the same thing, each in another way."""


def merged(base: Plain, mine: Plain, theirs: Plain) -> tuple[dict[str, Any], list[str]]:
    """What is saved of a workspace (`opening.body_of`), of both; and the fields that are theirs.

    Raises CannotMergeError.
    """
    before, here, there = (each["workspace"] for each in (base, mine, theirs))
    work = _fields(before, here, there)
    taken = [name for name in work if name not in VIEW_FIELDS and work[name] != here.get(name)]
    added = [name for name in work if name not in VIEW_FIELDS and work[name] != there.get(name)]
    generations = {
        name: max(each.get(name, 0) for each in (mine["generations"], theirs["generations"])) + (name in taken)
        for name in {**mine["generations"], **theirs["generations"], **dict.fromkeys(taken)}
    }
    done = theirs["history"]
    if added:
        steps = mine["history"]["steps"]
        name = (str(steps[-1]["name"][0]), dict(steps[-1]["name"][1])) if steps else ("setting", {"names": added[0]})
        step = {name: there.get(name) for name in added}, {name: work[name] for name in added}
        done = history.with_step(done, name, *step)
    return {**mine, "workspace": work, "generations": generations, "history": dict(done)}, taken


def _fields(base: Plain, mine: Plain, theirs: Plain) -> dict[str, Any]:
    changed = [{name for name in base if side.get(name) != base[name]} - VIEW_FIELDS for side in (mine, theirs)]
    if all(changed) and any(name in side for side in changed for name in WHOLE):
        raise CannotMergeError(", ".join(sorted(changed[0] | changed[1])))
    return {name: _one(name, base.get(name), value, theirs.get(name, value)) for name, value in mine.items()}


def _one(name: str, base: Any, mine: Any, theirs: Any) -> Any:
    if name in VIEW_FIELDS or theirs == base or mine == theirs:
        return mine
    if mine == base:
        return theirs
    if name in BY_NAME:
        return _by_name(base, mine, theirs)
    if name in MARKS:
        return _marks(base, mine, theirs)
    if name == "edits":
        sides = ({f"{e['stage']} {e['item']}": e for e in side} for side in (base, mine, theirs))
        return list(_by_name(*sides).values())
    raise CannotMergeError(name)


def _by_name(base: Plain, mine: Plain, theirs: Plain) -> dict[str, Any]:
    found = {}
    for name in {**theirs, **mine}:
        was, here, there = (side.get(name, MISSING) for side in (base, mine, theirs))
        if was not in (here, there) and here != there:
            raise CannotMergeError(name)
        value = there if here == was else here
        if value is not MISSING:
            found[name] = value
    return found


def _marks(base: Collection[str], mine: Collection[str], theirs: Collection[str]) -> list[str]:
    gone = {one for one in base if one not in mine or one not in theirs}
    return [one for one in dict.fromkeys([*theirs, *mine]) if one not in gone]
