"""What was changed, step by step: each with a name, what was before and what is after. Plain values, to be stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_STEPS = 100
Named = tuple[str, dict[str, Any]]  # key of the words, and their facts
History = Mapping[str, Any]  # {"steps": [{"name", "before", "after"}], "at": how many of them are done}


def empty() -> History:
    return {"steps": [], "at": 0}


def read(stored: Any) -> History:
    """What a workspace kept; an empty one where it makes no sense."""
    steps = stored.get("steps") if isinstance(stored, Mapping) else None
    good = isinstance(steps, list) and all(isinstance(step, Mapping) and len(step) == 3 for step in steps)
    at = stored.get("at") if good else None
    return {"steps": steps, "at": at} if isinstance(at, int) and 0 <= at <= len(steps or ()) else empty()


def with_step(history: History, name: Named, before: Mapping[str, Any], after: Mapping[str, Any]) -> History:
    """One more step is done; those that were undone are gone for good."""
    done = history["steps"][: history["at"]]
    steps = [*done, {"name": list(name), "before": dict(before), "after": dict(after)}][-MAX_STEPS:]
    return {"steps": steps, "at": len(steps)}


def changes_to(history: History, at: int) -> dict[str, Any]:
    """The values to set so that the first `at` steps are done."""
    steps, now = history["steps"], history["at"]
    changes: dict[str, Any] = {}
    for step in reversed(steps[at:now]):
        changes |= step["before"]
    for step in steps[now:at]:
        changes |= step["after"]
    return changes


def moved(history: History, at: int) -> History:
    return {**history, "at": at}
