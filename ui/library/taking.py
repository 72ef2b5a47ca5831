"""Takes a library of a file into one's own: what is new, there already, renamed or refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ctxcore.errors import CtxError, InputError
from ctxcore.scenario import Scenario
from ui.knowledge import bases
from ui.library.bundle import Bundle
from ui.library.checking import CHECKS, checked, named_by
from ui.library.finding import free_name
from ui.store import KeptStore, Thing

LONGEST = 120  # characters of a name
MOST_TAGS = 12


@dataclass
class Taken:
    new: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)  # name, why


def take(bundle: Bundle, store: KeptStore, owner: str) -> Taken:
    taken = Taken()
    for row in bundle.things:
        name = str(row.get("name", ""))[:LONGEST].strip()
        try:
            thing = _thing(row, name, owner)
            _take_texts(bundle, store, thing)
        except CtxError as error:
            taken.refused.append((name or "–", error.told))
            continue
        _keep(thing, store, taken)
    return taken


def _thing(row: Mapping[str, Any], name: str, owner: str) -> Thing:
    kind = str(row.get("kind"))
    if kind not in CHECKS:
        raise InputError("thing-kind", kind=kind[:40])
    if not name:
        raise InputError("thing-no-name")
    tags = tuple(str(tag)[:40] for tag in row.get("tags") or () if isinstance(tag, str))[:MOST_TAGS]
    return Thing(owner, kind, name, checked(kind, row.get("body")), tags=tags, note=str(row.get("note") or "")[:10_000])


def _take_texts(bundle: Bundle, store: KeptStore, thing: Thing) -> None:
    """Everything that it names, under the same addresses; they are hashes, so that nothing can be put in the place of
    something else."""
    revisions, texts = named_by(thing.kind, thing.body)
    for revision in revisions:
        given = bundle.scenarios.get(revision)
        if not isinstance(given, dict):
            raise InputError("thing-no-scenario", revision=revision[:8])
        if thing.kind != bases.KIND:
            Scenario.from_json(given)
        elif not isinstance(given.get("documents"), list) or given.get("schema") != bases.SCHEMA:
            raise InputError("thing-documents")
        if store.put_scenario(thing.owner, given) != revision:
            raise InputError("thing-changed", revision=revision[:8])
    for digest in texts:
        given = bundle.texts.get(digest)
        if not isinstance(given, str) or store.put_text(thing.owner, given) != digest:
            raise InputError("thing-no-text", digest=digest[:8])


def _keep(thing: Thing, store: KeptStore, taken: Taken) -> None:
    there = store.thing(thing.owner, thing.kind, thing.name)
    if there is not None and there.trashed is None and dict(there.body) == dict(thing.body):
        taken.same.append(thing.name)
        return
    if there is not None:
        known = [one.name for gone in (False, True) for one in store.things(thing.owner, thing.kind, gone)]
        named = replace(thing, name=free_name(thing.name, known))
        taken.renamed.append((thing.name, named.name))
        thing = named
    store.keep(thing)
    taken.new.append(thing.name)
