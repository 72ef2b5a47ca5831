"""One window against another, and no management against any."""

from __future__ import annotations

from ctxcore.comparing.demos.demo import Demo, overflows, shipped
from ctxcore.trace import Trace


def _caps(trace: Trace) -> list[int]:
    return [use.cap for use in trace.limits]


def _shrinks(first: Trace, second: Trace) -> bool:
    """Every cap of the smaller window is the sixteenth part, give or take one token of rounding."""
    return all(abs(big - 16 * small) <= 16 for big, small in zip(_caps(first), _caps(second), strict=True)) and (
        _caps(first) != _caps(second)
    )


def _stays(first: Trace, second: Trace) -> bool:
    return _caps(first) == _caps(second) and first.fits and not second.fits


WIDE, NARROW = {"window": 128_000}, {"window": 8_000}

WINDOWS = (
    Demo("shares-scale", shipped("competitors"), _shrinks, {"system": "compiler"}, WIDE, NARROW),
    Demo("caps-stay", shipped("coding-agent"), _stays, {"system": "gssc", "variant": "article"}, WIDE, NARROW),
    Demo(
        "raw-overflows",
        shipped("support-chat"),
        overflows,
        {"window": 4_000},
        {"system": "raw"},
        {"system": "gssc"},
    ),
)
