"""A screen shows one view of one run, with what to say and notes for the speaker; a talk is a few of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ctxcore.trace import Trace
from ui.looking import Looking
from ui.workspace.workspace import Workspace


@dataclass(frozen=True)
class Screen:
    """`stage`: the one looked at, "" = the last. `there`: the same in the Playground, where a workspace holds it."""

    title: str
    say: str
    notes: str
    view: str
    stage: str
    run: Callable[[], Trace]
    there: Workspace | None = None

    def looking(self, height: int) -> Looking:
        trace = self.run()
        names = [snapshot.name for snapshot in trace.snapshots]
        return Looking(trace, names.index(self.stage) if self.stage in names else len(names) - 1, height)


@dataclass(frozen=True)
class Talk:
    title: str
    screens: tuple[Screen, ...]
