"""The order of a workspace's stages: its own, or the system's."""

from __future__ import annotations

from ctxcore.systems import SYSTEMS
from ui.workspace.workspace import Workspace

Order = tuple[str, ...]


def order_of(now: Workspace) -> Order:
    return now.stages or own_order(now)


def own_order(now: Workspace) -> Order:
    return tuple(stage.name for stage in SYSTEMS[now.system].stages(now.variant))


def kept_order(now: Workspace, order: Order) -> Order:
    """As a workspace keeps it: empty where it is the system's own."""
    return () if order == own_order(now) else order


def moved(order: Order, name: str, by: int) -> Order:
    at, rest = order.index(name), [one for one in order if one != name]
    rest.insert(max(0, min(len(rest), at + by)), name)
    return tuple(rest)
