"""Article 3's faults: a window that is never read, a board in the wrong place, a layer that is never filled."""

from __future__ import annotations

from ctxcore.comparing.demos.demo import Demo, by, called, lost, made, message_of, overflows, prose, said, talk
from ctxcore.layers import BOARD
from ctxcore.trace import Trace

RULES = said("system", "You keep the harbour log.")
ASK = said("user", "Which berth is free for the trawler?")
LAYERED = {"system": "layered"}


def _from_end(trace: Trace) -> int:
    """Messages after the board."""
    return len(trace.messages) - 1 - message_of(trace, BOARD)


def _changed(trace: Trace, rule: str) -> bool:
    return any(d.rule == rule for s in trace.snapshots for d in s.decisions)


LAYERS = (
    Demo(
        "window-never-read",
        made("window-never-read", [RULES, *talk(4, 120), ASK]),
        overflows,
        {**LAYERED, "window": 8_000},
    ),
    Demo(
        "board-second",
        made("board-second", [RULES, *talk(2, 2), *called("c1", "tide", "High at noon."), ASK]),
        lambda first, second: _from_end(second) <= 1 < _from_end(first),
        LAYERED,
    ),
    Demo(
        "six-entries-summarized",
        made("six-entries-summarized", [RULES, *talk(6, 12), ASK]),
        lambda first, second: _changed(first, "rounds-summarized") and not _changed(second, "rounds-summarized"),
        LAYERED,
    ),
    Demo(
        "recall-never-filled",
        made(
            "recall-never-filled",
            [RULES, ASK],
            documents=[{"id": "doc-01", "text": "Berth 4 is free for the trawler.", "score": 0.9}],
        ),
        lost("Berth 4 is free for the trawler"),
        LAYERED,
    ),
    Demo(
        "observations-always-cut",
        made("observations-always-cut", [RULES, ASK, *called("c1", "tide", prose(40)), said("user", "And tomorrow?")]),
        lambda first, second: _changed(first, "observation") and not _changed(second, "observation"),
        LAYERED,
    ),
    Demo(
        "shares-meet-the-threshold",
        made("shares-meet-the-threshold", [RULES, *talk(6, 5), ASK]),
        by("force-compacted"),
        {**LAYERED, "window": 1_300, "limits": {"working": "95%"}},
        {"options": {"force-compact.of": "room"}},
        {"options": {"force-compact.of": "window"}},
    ),
)
