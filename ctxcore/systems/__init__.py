"""The systems that can be run: published designs as data on one engine."""

from __future__ import annotations

from ctxcore.errors import InputError
from ctxcore.systems.compiler import COMPILER
from ctxcore.systems.gssc import GSSC
from ctxcore.systems.layered import LAYERED
from ctxcore.systems.raw import RAW
from ctxcore.systems.system import VARIANTS, System

SYSTEMS: dict[str, System] = {system.name: system for system in (GSSC, COMPILER, LAYERED, RAW)}


def system_called(name: str) -> System:
    """Raises InputError that names the systems there are."""
    if name not in SYSTEMS:
        raise InputError("no-system", name=name, there=list(SYSTEMS))
    return SYSTEMS[name]


__all__ = ["SYSTEMS", "VARIANTS", "System", "system_called"]
