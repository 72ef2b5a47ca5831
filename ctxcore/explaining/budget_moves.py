"""Moves of the budget: the window, the reserve, one limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ctxcore.budget import parse_limit
from ctxcore.settings import Settings
from ctxcore.trace import Trace

MILLE = 1000  # a limit is tried in tenths of a percent of the window


@dataclass(frozen=True)
class Move:
    """A change of one kind: `places` from the smallest to the largest, and what each of them is."""

    rule: str  # its sentence is `remedy-RULE` or `loss-RULE`
    places: Sequence[int]
    at: Callable[[int], Settings]
    argv: Callable[[int], tuple[str, ...]]
    facts: Callable[[int], Mapping[str, Any]]


def window_move(trace: Trace, places: Sequence[int]) -> Move:
    reserve, now = trace.budget.reserve, trace.budget.window
    return Move(
        "window",
        places,
        lambda k: replace(trace.settings, window=k, reserve=reserve),
        lambda k: ("--window", str(k), "--reserve", str(reserve)),
        lambda k: {"window": k, "now": now},
    )


def reserve_move(trace: Trace, places: Sequence[int]) -> Move:
    now = trace.budget.reserve
    return Move(
        "reserve",
        places,
        lambda k: replace(trace.settings, reserve=k),
        lambda k: ("--reserve", str(k)),
        lambda k: {"reserve": k, "now": now},
    )


def limit_move(trace: Trace, name: str, *, up: bool) -> Move:
    """As a share of the window; in tokens where the user typed tokens."""
    cap, window = trace.budget.cap(name), trace.budget.window
    tokens = not dict(trace.settings.limits).get(name, "%").endswith("%")
    now = cap if tokens else cap * MILLE // max(1, window)
    up_to = max(window, cap) if tokens else MILLE
    below = now if tokens or now * window // MILLE < cap else now - 1  # the first share that gives less

    def typed(k: int) -> str:
        return str(k) if tokens else f"{k / 10:g}%"

    def facts(k: int) -> Mapping[str, Any]:
        given, share = parse_limit(name, typed(k))
        return {"limit": name, "to": typed(k), "cap": given if share is None else int(share * window), "now": cap}

    return Move(
        "limit",
        range(now + 1, up_to + 1) if up else range(below - (1 if tokens else 0), -1, -1),
        lambda k: replace(trace.settings, limits=with_pair(trace.settings.limits, name, typed(k))),
        lambda k: ("--limit", f"{name}={typed(k)}"),
        facts,
    )


def with_pair(pairs: tuple[tuple[str, str], ...], name: str, value: str) -> tuple[tuple[str, str], ...]:
    return (*((n, v) for n, v in pairs if n != name), (name, value))
