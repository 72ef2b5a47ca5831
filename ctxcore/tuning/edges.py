"""Where something holds along an axis, as the places at which that changes: rising, the first one begins."""

from __future__ import annotations

from ctxcore.tuning.axis import Array

Span = tuple[int, int]  # budgets in tokens: from the first at which it holds to the first at which it no longer does


def edges_of(mask: Array, start: int = 0) -> Array:
    """The edges of an array of booleans whose first place is `start`."""
    import numpy as np

    inner = np.flatnonzero(mask[1:] != mask[:-1]) + 1
    ends = ([0] if len(mask) and mask[0] else [], [len(mask)] if len(mask) and mask[-1] else [])
    return np.concatenate((np.array(ends[0], np.int64), inner, np.array(ends[1], np.int64))) + start


def either(*edges: Array) -> Array:
    """Where exactly one of them holds; of such as never hold together, where one does."""
    import numpy as np

    found, counts = np.unique(np.concatenate(edges), return_counts=True)
    return found[counts % 2 == 1].astype(np.int64)


def holds_at(edges: Array, places: Array) -> Array:
    import numpy as np

    return np.searchsorted(edges, places, side="right") % 2 == 1


def spans_of(edges: Array) -> tuple[Span, ...]:
    return tuple((int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True))
