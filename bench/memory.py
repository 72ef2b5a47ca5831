"""What a trace keeps in memory, without texts and raw inputs: all its snapshots beside the one that holds the most."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from ctxcore import Trace
from ctxcore.item import Item
from ctxcore.payload import Payload

NOT_OURS = ("scenario", "model", "counter", "budget", "tools", "records", "wire")  # shared inputs, or told separately


@dataclass(frozen=True)
class Memory:
    """Bytes."""

    snapshots: int
    one: int
    ledger: int
    stages: int

    @property
    def ratio(self) -> float:
        return self.snapshots / self.one


def memory(trace: Trace) -> Memory:
    payloads = [snapshot.payload for snapshot in trace.snapshots]
    records = [record for payload in payloads for record in payload.records]
    one = max(size([payload]) for payload in payloads)
    return Memory(size(payloads), one, size(records, stop=Item), len(payloads))


def size(roots: Iterable[Any], stop: type | None = None) -> int:
    """Bytes of everything that is reached from `roots`, each object once; texts, flags and `stop` count nothing."""
    free = (str, Enum, bool, type, type(None), *((stop,) if stop else ()))
    seen: set[int] = set()
    waiting = list(roots)
    total = 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, free):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        waiting.extend(_held(one))
    return total


def _held(one: Any) -> Iterator[Any]:
    if isinstance(one, Mapping):
        yield from one.values()
    elif isinstance(one, list | tuple | set | frozenset):
        yield from one
    elif is_dataclass(one):
        left_out = NOT_OURS if isinstance(one, Payload | Item) else ()
        yield from (getattr(one, f.name) for f in fields(one) if f.name not in left_out)
