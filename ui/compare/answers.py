"""Answers that were paid already, kept for an owner by scenario and model: an evaluation goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import replace
from threading import Lock
from typing import Any

from ui.store import ConflictError, KeptStore
from ui.store.shelf import Thing

KIND = "answers"  # on the shelf


class KeptAnswers(MutableMapping[str, Mapping[str, Any]]):
    """By key; each is written the moment it comes. May be used by the thread of a job."""

    def __init__(self, store: KeptStore, owner: str, name: str) -> None:
        self._store, self._lock = store, Lock()
        self._thing = store.thing(owner, KIND, name) or Thing(owner, KIND, name, {})

    def __setitem__(self, key: str, found: Mapping[str, Any]) -> None:
        with self._lock:
            try:
                self._keep(key, found)
            except ConflictError:  # another tab evaluates the same: both have their answers
                there = self._store.thing(self._thing.owner, KIND, self._thing.name) or self._thing
                self._thing = replace(there, body={**self._thing.body, **there.body})
                self._keep(key, found)

    def _keep(self, key: str, found: Mapping[str, Any]) -> None:
        new = replace(self._thing, body={**self._thing.body, key: dict(found)})
        self._thing = replace(new, rev=self._store.keep(new))

    def __getitem__(self, key: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._thing.body[key]
        return found

    def __delitem__(self, key: str) -> None:
        raise TypeError("an answer that was paid is not forgotten")

    def __iter__(self) -> Iterator[str]:
        return iter(self._thing.body)

    def __len__(self) -> int:
        return len(self._thing.body)
