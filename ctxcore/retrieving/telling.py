"""What services that can fail have to say: rules with their facts, by thread, until somebody reads them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from ctxcore.serving.watch import MOST_TOLD, Telling


class Tellings:
    def __init__(self) -> None:
        self._mine = threading.local()  # two visitors may share this object

    def pass_on(self, told: Sequence[Telling]) -> None:
        """The same once: a stage may search several times."""
        found: list[Telling] = self._mine.__dict__.setdefault("tellings", [])
        found += [one for one in told if one not in found][: MOST_TOLD - len(found)]

    def told(self) -> tuple[Telling, ...]:
        """What this thread heard since it last asked."""
        found: list[Telling] = self._mine.__dict__.pop("tellings", [])
        return tuple(found)
