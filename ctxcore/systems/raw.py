"""No management at all: everything, in order. The ground to compare with."""

from __future__ import annotations

from ctxcore.stages.assemble import Assemble
from ctxcore.stages.gather import Gather
from ctxcore.systems.system import System

RAW = System(
    name="raw",
    source="No management: everything, in order",
    window=128_000,
    reserve=4_096,
    limits=(),
    repaired=(Gather(), Assemble()),
    article=(Gather(), Assemble()),
    limit_of=lambda item: "",
)
