"""The scenario file, `ctxcore.scenario/1`: reading with helpful errors, writing without losing a field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.ids import Ids
from ctxcore.importing.plain import KINDS, Copier, kind_of
from ctxcore.importing.record_file import read_records, read_state, record_json, state_json
from ctxcore.importing.shorthand import ARTICLE, spelled_out
from ctxcore.scenario import RECORDS, SCHEMA, Scenario
from ctxcore.words import Phrase

OWN = ("schema", "name", "title", "about", "format", "settings", "messages", "ids", "tools", *RECORDS)
FIELDS = (
    *OWN,
    "state",
    "pinned",
    "unasked",
    "must_keep",
    "warnings",
    "issued",
)  # in the order of the file


def is_scenario(data: Any) -> bool:
    """Whether an object says that it is a scenario file, or has fields that only these and the article's call have."""
    if not isinstance(data, Mapping):
        return False
    schema = data.get("schema")
    if isinstance(schema, str) and schema.startswith("ctxcore.scenario"):
        return True
    return any(name in data for name in (*ARTICLE, "documents", "tool_results", "must_keep"))


def read(data: Any) -> Scenario:
    if not isinstance(data, Mapping):
        raise InputError("scenario-kind", kind=kind_of(data))
    if (schema := data.get("schema", SCHEMA)) != SCHEMA:
        raise InputError("scenario-schema", found=schema, schema=SCHEMA)
    data = spelled_out(data)
    _check_shape(data)
    lists: dict[str, Any] = {kind: read_records(data.get(kind), kind) for kind in RECORDS}
    return Scenario.from_messages(
        data.get("messages") or (),
        tools=data.get("tools") or (),
        name=data.get("name") or "",
        format=data.get("format") or "scenario",
        ids=_ids(data),
        state=read_state(data.get("state")),
        pinned=_texts(data, "pinned"),
        unasked=_texts(data, "unasked"),
        must_keep=_texts(data, "must_keep"),
        warnings=_texts(data, "warnings"),
        settings=data.get("settings") or {},
        title=_by_language(data, "title"),
        about=_by_language(data, "about"),
        issued=_issued(data.get("issued") or {}),
        extra={name: value for name, value in data.items() if name not in FIELDS},
        **lists,
    )


def written(scenario: Scenario) -> dict[str, Any]:
    copy: dict[str, Any] = Copier().copy(lent(scenario))
    return copy


def lent(scenario: Scenario) -> dict[str, Any]:
    """The same, to be written out at once: it shares the scenario's own values, and has tuples for lists."""
    data: dict[str, Any] = {"schema": SCHEMA, "name": scenario.name}
    plain = ("title", "about", "settings", "messages", "ids", "tools", "pinned", "unasked", "must_keep", "warnings")
    data |= {name: value for name in plain if (value := getattr(scenario, name))}
    data |= {kind: [record_json(r, kind) for r in records] for kind in RECORDS if (records := getattr(scenario, kind))}
    if scenario.format != "scenario":
        data["format"] = scenario.format
    if scenario.state is not None:
        data["state"] = state_json(scenario.state)
    shown = Ids({}, (name for name, _ in scenario.places())).issued
    if gone := {kind: number for kind, number in scenario.issued.items() if number > shown.get(kind, 0)}:
        data["issued"] = gone  # of removed items: so that their numbers are not given again
    ordered = {name: data[name] for name in FIELDS if name in data}
    others = {name: value for name, value in scenario.extra.items() if name not in FIELDS}
    return {**ordered, **others}


def _check_shape(data: Mapping[str, Any]) -> None:
    """Names the field, what was found in it, and what belongs there."""
    shapes: dict[str, tuple[type | tuple[type, ...], Phrase]] = {
        "messages": ((list, tuple), Phrase("wanted-messages")),
        "ids": ((list, tuple), Phrase("wanted-ids")),
        "tools": ((list, tuple), Phrase("wanted-tools")),
        "name": (str, KINDS[str]),
        "format": (str, KINDS[str]),
        "settings": (Mapping, Phrase("wanted-object", such='{"window": 8000}')),
        "issued": (Mapping, Phrase("wanted-object", such='{"turn": 12}')),
    }
    for name, (kind, wanted) in shapes.items():
        if (value := data.get(name)) is not None and not isinstance(value, kind):
            raise InputError("field-kind", where=name, kind=kind_of(value), wanted=wanted)


def _ids(data: Mapping[str, Any]) -> tuple[str, ...]:
    ids = data.get("ids") or ()
    for index, name in enumerate(ids):
        if not isinstance(name, str):
            raise InputError("id-kind", index=index, kind=kind_of(name))
    if ids and len(ids) != len(data.get("messages") or ()):
        count = len(data.get("messages") or ())
        raise InputError("ids-count", ids=len(ids), count=count)
    return tuple(ids)


def _issued(value: Mapping[str, Any]) -> dict[str, int]:
    for kind, number in value.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise InputError("issued-kind", kind=kind, number=number)
    return dict(value)


def _texts(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = data.get(name) or ()
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, list | tuple) or not all(isinstance(item, str) for item in values):
        raise InputError("texts-kind", name=name, kind=kind_of(value))
    return tuple(values)


def _by_language(data: Mapping[str, Any], name: str) -> dict[str, str]:
    value = data.get(name) or {}
    if isinstance(value, str):
        return {"en": value}
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise InputError("by-language", name=name)
    return dict(value)
