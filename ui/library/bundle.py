"""The library as one file: a ZIP of JSON with the things and every scenario and text that they name."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.plain import Copier
from ui.library.checking import named_by
from ui.store import KeptStore, Thing

SCHEMA, INDEX = "ctxcore.library/1", "library.json"
MOST_PACKED, MOST_UNPACKED = 50 * 1024 * 1024, 400 * 1024 * 1024  # bytes
MOST_FILES, MOST_THINGS = 50_000, 10_000
PLACE = re.compile(r"library\.json|(?P<kind>scenarios|texts)/(?P<id>[0-9a-f]{40})\.json")
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same library makes the same file


@dataclass(frozen=True, slots=True)
class Bundle:
    things: tuple[Mapping[str, Any], ...]
    scenarios: Mapping[str, Any]  # by revision
    texts: Mapping[str, Any]  # by hash


def write(things: Iterable[Thing], store: KeptStore) -> bytes:
    """Runs on a thread of its own, when the button is pressed."""
    packed, rows = io.BytesIO(), list[dict[str, Any]]()
    named: dict[str, Callable[[], Any]] = {}
    for thing in things:
        rows.append({name: getattr(thing, name) for name in ("kind", "name", "body", "tags", "note")})
        revisions, texts = named_by(thing.kind, thing.body)
        named |= {f"scenarios/{one}.json": partial(store.scenario, thing.owner, one) for one in revisions}
        named |= {f"texts/{one}.json": partial(store.text, thing.owner, one) for one in texts}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for place, read in named.items():
            if (found := read()) is not None:
                _put(file, place, found)
        _put(file, INDEX, {"schema": SCHEMA, "things": rows})
    return packed.getvalue()


def _put(file: zipfile.ZipFile, place: str, value: Any) -> None:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))  # lone surrogates too
    file.writestr(zipfile.ZipInfo(place, LONG_AGO), text, zipfile.ZIP_DEFLATED)


def unpacked(data: bytes) -> Bundle:
    """Raises InputError for what is no library, is damaged, or is larger than it may be."""
    if len(data) > MOST_PACKED:
        raise InputError("bundle-large", size=len(data), most=MOST_PACKED)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return _read(file)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, OSError) as error:
        raise InputError("bundle-damaged", error=error) from error
    except (ValueError, RecursionError, RuntimeError) as error:
        raise InputError("bundle-no-json", error=error) from error


def _read(file: zipfile.ZipFile) -> Bundle:
    entries = file.infolist()
    size = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_FILES or size > MOST_UNPACKED:
        raise InputError("bundle-unpacks", size=size, count=len(entries))
    found: dict[str, dict[str, Any]] = {"scenarios": {}, "texts": {}}
    index: Any = None
    for entry in entries:
        place = PLACE.fullmatch(entry.filename)
        if place is None:
            raise InputError("bundle-entry", name=entry.filename[:60])
        value = json.loads(file.read(entry))
        if place["kind"]:
            found[place["kind"]][place["id"]] = value
        else:
            index = Copier().copy(value)
    if not isinstance(index, dict) or index.get("schema") != SCHEMA or not isinstance(index.get("things"), list):
        raise InputError("bundle-schema", index=INDEX, schema=SCHEMA)
    if len(index["things"]) > MOST_THINGS:
        raise InputError("bundle-things", count=len(index["things"]), most=MOST_THINGS)
    return Bundle(tuple(one for one in index["things"] if isinstance(one, dict)), found["scenarios"], found["texts"])
