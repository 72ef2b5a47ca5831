"""Reads in a thread of its own, so that a silent server keeps nobody waiting beyond their patience or after a stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from ctxcore.replies import ModelError, Stop

T = TypeVar("T")
Source = Callable[[Event], Iterator[T]]
Found = SimpleQueue[tuple[T | None, BaseException | None]]  # an item, or how it ended
LOOK = 0.05  # seconds between two looks at `stop`


class Stopped(Exception):
    """`stop()` was true. What came before has been handed out."""


def pumped(source: Source[T], patience: float, stop: Stop | None = None) -> Generator[T]:
    """The items of `source(gone)`. Raises Stopped, or ModelError when none comes for `patience` seconds.

    Once nobody reads any more, `gone` is set: `source` must then end as soon as it gets a word in.
    """
    gone = Event()
    found: Found[T] = SimpleQueue()
    Thread(target=_read, args=(source, gone, found), name="ctxcore-reply", daemon=True).start()
    try:
        while True:
            item, failed = _next(found, patience, stop)
            if isinstance(failed, StopIteration):
                return
            if failed is not None:
                raise failed
            yield item  # type: ignore[misc]  # no failure: it is an item
    finally:
        gone.set()


def _read(source: Source[T], gone: Event, found: Found[T]) -> None:
    try:
        for item in source(gone):
            found.put((item, None))
        found.put((None, StopIteration()))
    except BaseException as failed:  # raised again in the thread that reads
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
                raise ModelError("timeout", f"did not answer within {patience:g} s") from None
