"""What was read off a trace is remembered on the trace itself: it lives as long, and is never that of another one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from ctxcore.trace import Trace

T = TypeVar("T")
KEPT, MOST = "_readings", 64  # the name in a trace's own dictionary; readings in one, after which it starts anew


def of_trace(read: Callable[..., T]) -> Callable[..., T]:
    """For a pure function of a trace and small arguments whose `repr` says all."""

    @wraps(read)
    def remembered(trace: Trace, *args: Any) -> T:
        kept: dict[tuple[str, str, str], T] = trace.__dict__.setdefault(KEPT, {})
        key = (read.__module__, read.__qualname__, repr(args))
        if key not in kept:
            if len(kept) >= MOST:
                kept.clear()
            kept[key] = read(trace, *args)
        return kept[key]

    return remembered
