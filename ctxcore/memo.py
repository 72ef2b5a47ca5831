"""A bounded memory whose hits cost one look-up in a dictionary."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_ENTRY = 64  # weight of an entry, however light what it holds


class Memo(Generic[K, V]):
    """In two generations: what is not asked for while one half of the capacity fills up is forgotten. Thread-safe.

    Look into `young` first, then ask `get`, then `put`. Weights are in characters.
    """

    def __init__(self, capacity: int) -> None:
        self.young: dict[K, V] = {}
        self._old: dict[K, V] = {}
        self._half, self._used = capacity // 2, 0
        self._lock = Lock()

    def get(self, key: K, weight: int) -> V | None:
        found = self.young.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.put(key, found, weight)
        return found

    def drop(self, key: K) -> None:
        with self._lock:
            self.young.pop(key, None)
            self._old.pop(key, None)

    def put(self, key: K, value: V, weight: int) -> None:
        with self._lock:
            if self._used + weight + _ENTRY > self._half:
                self._old, self.young, self._used = self.young, {}, 0
            self.young[key] = value
            self._used += weight + _ENTRY


@dataclass(slots=True)
class Rate:
    """How often what was asked for was there."""

    asked: int = 0
    found: int = 0
