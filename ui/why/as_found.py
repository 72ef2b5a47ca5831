"""Remedies that are worked out while they are read: what was found is kept; several readers wait for the next one."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from ctxcore.explaining.remedies import Remedy


class AsFound:
    """Iterated by many, computed once; a reader that stops in the middle leaves the rest to the next one."""

    def __init__(self, coming: Iterator[Remedy]) -> None:
        self._coming, self._known, self._lock = coming, list[Remedy](), threading.Lock()

    def __iter__(self) -> Iterator[Remedy]:
        at = 0
        while (one := self._at(at)) is not None:
            yield one
            at += 1

    def _at(self, at: int) -> Remedy | None:
        with self._lock:
            if at == len(self._known) and (one := next(self._coming, None)) is not None:
                self._known.append(one)
            return self._known[at] if at < len(self._known) else None
