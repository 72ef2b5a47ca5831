"""What is remembered of this user, in every scenario: in the store, by owner, behind the core's `Services`."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ctxcore.defaults import built_in_services
from ctxcore.services import Remembered, Services
from ui.store import KeptStore
from ui.store.shelf import Thing
from ui.workspace import state
from ui.workspace.owner import owner

KINDS = ("profile", "memory")


class StoredMemory:
    """Of one owner. Implements the core's Memory."""

    patience = 5.0  # seconds: a database elsewhere may be slow

    def __init__(self, store: KeptStore, whose: str) -> None:
        self._store, self._whose = store, whose

    @property
    def fingerprint(self) -> str:
        """Changes with every word that is remembered."""
        told = repr(
            [(one.name, one.rev, one.updated) for kind in KINDS for one in self._store.things(self._whose, kind)]
        )
        return f"memory@{hashlib.sha256(told.encode()).hexdigest()[:16]}"

    def load(self) -> Sequence[Remembered]:
        return [_remembered(one) for kind in KINDS for one in self._store.things(self._whose, kind)]


def _remembered(thing: Thing) -> Remembered:
    return Remembered(thing.name, str(thing.body.get("text", "")), thing.kind)


def with_memory(services: Services | None) -> Services | None:
    """The services with this user's memory; as they are where nothing is remembered."""
    memory = StoredMemory(state.store(), owner())
    return replace(services or built_in_services(), memory=memory) if memory.load() else services


def all_of(kind: str) -> tuple[Thing, ...]:
    return state.store().things(owner(), kind)


def remember(kind: str, text: str) -> None:
    state.store().keep(Thing(owner(), kind, f"{kind}-{secrets.token_hex(4)}", {"text": text.strip()}))


def change(thing: Thing, text: str) -> None:
    state.store().keep(replace(thing, body={"text": text}))


def forget(*things: Thing) -> None:
    for thing in things:
        state.store().erase(thing.owner, thing.kind, thing.name)


def exported() -> dict[str, Any]:
    """All of it, as a person can take it along."""
    return {
        kind: [{"id": one.name, "text": one.body.get("text"), "updated": one.updated} for one in all_of(kind)]
        for kind in KINDS
    }
