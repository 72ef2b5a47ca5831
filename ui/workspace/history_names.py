"""What a step of the history is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxcore.scenario import Scenario
from ui.workspace.history import Named

NUMBERS = ("window", "reserve")
NAMES = ("system", "variant", "model")
MANY = ("limits", "options", "priorities")  # name → value
MARKS = ("pins", "mutes")
PLAIN = ("run_to", "other", "demo", "questions")
LONGEST = 40  # characters of a fact


def name_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> Named:
    """The name of a change of the workspace, by the field that says most."""
    if "scenario" in after or "imported" in after:
        return "scenario", {"name": after.get("scenario", "")}
    for field in (*NAMES, *NUMBERS):
        if field in after:
            return f"{field}", {"before": _said(before[field]), "after": _said(after[field])}
    if "stages" in after:
        return "stages", {"names": _short(after["stages"]) or "–"}
    for field in MANY:
        if field in after:
            return _pair(field, before[field], after[field])
    for field in MARKS:
        if field in after:
            return _mark(field, before[field], after[field])
    if "edits" in after:
        return _edit(before["edits"], after["edits"])
    return _rest(after)


def _rest(after: Mapping[str, Any]) -> Named:
    found = next((field for field in PLAIN if field in after), None)
    if found:
        return found, {}
    return ("sources", {}) if "revision" in after else ("setting", {"names": ", ".join(after)})


def _said(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {None: "–"}.get(value, str(value))
    return f"{value:,}" if isinstance(value, int) else _short([str(value)])


def _short(names: Sequence[str]) -> str:
    text = ", ".join(names)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _pair(field: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Named:
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if len(changed) != 1:
        return f"{field}", {"count": len(changed)}
    name = changed[0]
    facts = {"name": _short([str(name)]), "before": _said(before.get(name)), "after": _said(after.get(name))}
    return "one", facts


def _mark(field: str, before: list[str], after: list[str]) -> Named:
    came, went = [x for x in after if x not in before], [x for x in before if x not in after]
    return f"{field}.{'on' if came else 'off'}", {"names": _short(came or went)}


def _edit(before: list[Mapping[str, str]], after: list[Mapping[str, str]]) -> Named:
    made = [edit for edit in after if edit not in before]
    gone = [edit for edit in before if (edit["stage"], edit["item"]) not in {(e["stage"], e["item"]) for e in after}]
    edit = (made or gone or after or before)[-1]
    return f"edit.{'on' if made else 'off'}", {"item": edit["item"], "stage": edit["stage"]}


def edited(old: Scenario, new: Scenario) -> Named:
    """The name of an edit of the sources: which of them changed."""
    was = {**dict(zip(old.ids, old.messages, strict=True)), **{r.id: r for r in old.records()}}
    now = {**dict(zip(new.ids, new.messages, strict=True)), **{r.id: r for r in new.records()}}
    for verb, names in (
        ("added", [key for key in now if key not in was]),
        ("removed", [key for key in was if key not in now]),
        ("changed", [key for key in now if key in was and now[key] is not was[key]]),
    ):
        if names:
            return f"source.{verb}", {"names": _short(names)}
    if old.pinned != new.pinned:
        came = [key for key in new.pinned if key not in old.pinned]
        gone = [key for key in old.pinned if key not in new.pinned]
        return f"pins.{'on' if came else 'off'}", {"names": _short(came or gone)}
    return ("facts", {"count": len(new.must_keep)}) if old.must_keep != new.must_keep else ("sources", {})
