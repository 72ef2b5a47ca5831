"""Reads in a thread of its own, so that a silent server keeps nobody waiting beyond their patience or after a stop."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol, TypeVar

from ctxcore.model.replies import ModelError, Stop

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Found = SimpleQueue[tuple[T | None, BaseException | None]]  # an item, or how it ended
LOOK = 0.05  # seconds between two looks at `stop`


class Source(Protocol[T_co]):
    def items(self) -> Iterator[T_co]:
        """Runs in the thread that reads."""
        ...

    def leave(self) -> None:
        """Called from another thread: `items` shall end soon, even where it waits."""
        ...


class Stopped(Exception):
    """`stop()` was true. What came before has been handed out."""


def pumped(source: Source[T], patience: float, stop: Stop | None = None) -> Generator[T]:
    """The items of `source`. Raises Stopped, or ModelError when none comes for `patience` seconds.

    Close it: that is how `source` learns that nobody reads any more.
    """
    found: Found[T] = SimpleQueue()
    Thread(target=_read, args=(source, found), name="ctxcore-reply", daemon=True).start()
    try:
        while True:
            item, failed = _next(found, patience, stop)
            if isinstance(failed, StopIteration):
                return
            if failed is not None:
                raise failed
            yield item  # type: ignore[misc]  # no failure: it is an item
    finally:
        source.leave()


def _read(source: Source[T], found: Found[T]) -> None:
    try:
        for item in source.items():
            found.put((item, None))
        found.put((None, StopIteration()))
    except BaseException as failed:  # raised again in the thread that waits for it
        found.put((None, failed))


def _next(found: Found[T], patience: float, stop: Stop | None) -> tuple[T | None, BaseException | None]:
    until = time.monotonic() + patience
    while True:
        if stop is not None and stop():
            raise Stopped
        left = until - time.monotonic()
        try:
            return found.get(timeout=max(0.0, left if stop is None else min(LOOK, left)))
        except Empty:
            if left <= 0:
                raise ModelError("timeout", "model-late", seconds=patience) from None
