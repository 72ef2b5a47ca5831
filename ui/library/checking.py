"""What a thing of a file may be: what was not understood is left out, or the whole is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ctxcore.errors import InputError
from ctxcore.measuring.measured import from_json as curve_from_json
from ctxcore.pipeline import Pipeline
from ctxcore.scenario import Scenario
from ui.knowledge import bases
from ui.tune import presets
from ui.workspace import link
from ui.workspace.workspace import Workspace

ADDRESS = re.compile(r"[0-9a-f]{40}")
NUMBERS = ("total", "room", "items", "of", "other_total", "messages", "records", "documents", "tokens")
Body = Mapping[str, Any]


def checked(kind: str, body: Any) -> dict[str, Any]:
    """Raises InputError that says what is wrong."""
    if not isinstance(body, Mapping):
        raise InputError("thing-no-object")
    try:
        return CHECKS[kind](body)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError("thing-damaged", error=f"{type(error).__name__} {error}") from error


def named_by(kind: str, body: Body) -> tuple[list[str], list[str]]:
    """Revisions and texts in the store that a thing names."""
    if kind in ("run", "comparison"):
        return Workspace.from_plain(body.get("workspace") or {}).names()
    return ([str(body["revision"])] if body.get("revision") else []), []


def _numbers(body: Body) -> dict[str, int]:
    return {name: body[name] for name in NUMBERS if type(body.get(name)) is int}


def _with_revision(body: Body) -> dict[str, Any]:
    return {"revision": _address(body["revision"]), **_numbers(body)}


def _address(value: Any) -> str:
    if not isinstance(value, str) or not ADDRESS.fullmatch(value):
        raise InputError("thing-no-address", value=str(value)[:60])
    return value


def _run(body: Body) -> dict[str, Any]:
    names = {name: str(body[name])[:200] for name in ("first", "second") if name in body}
    return {"workspace": _workspace(body["workspace"]), **_numbers(body), **names}


def _workspace(given: Body) -> dict[str, Any]:
    changes, _ = link.checked(given)
    for name in ("revision", "imported", "questions"):
        changes[name] = _address(given[name]) if given.get(name) else ""
    changes["scenario"] = str(given.get("scenario", ""))[:200]
    changes["edits"] = tuple(
        {"stage": str(one["stage"]), "item": str(one["item"]), "text": _address(one["text"])}
        for one in given.get("edits", ())
    )
    return Workspace(**changes).to_plain()


def _budget(body: Body) -> dict[str, Any]:
    changes, refused = link.checked({name: body[name] for name in presets.FIELDS if name in body})
    if refused:
        raise InputError("thing-not-set", names=list(refused))
    return presets.budget_of(Workspace(**changes))


def _prompt(body: Body) -> dict[str, Any]:
    system = str(body["system"])
    made = Scenario.from_messages([{"role": "system", "content": system}], tools=list(body["tools"]))
    return {"system": system, "tools": [dict(tool) for tool in made.tools], "tokens": int(body["tokens"])}


CHECKS: Mapping[str, Callable[[Body], dict[str, Any]]] = {
    "scenario": _with_revision,
    "run": _run,
    "comparison": _run,
    "prompt": _prompt,
    "pipeline": lambda body: Pipeline.from_json(body).to_json(),
    presets.KIND: _budget,
    bases.KIND: _with_revision,
    "curve": lambda body: curve_from_json(body).to_json(),
}
