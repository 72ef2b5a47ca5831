"""When a failed attempt is made again, and how long to wait before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ctxcore.model.pump import LOOK
from ctxcore.model.replies import Kind, ModelError, Stop

FIRST_WAIT = 0.5  # seconds before the second attempt; doubled before each further one
LONGEST_WAIT = 20.0  # seconds: an endpoint that asks for more is not waited for
RETRIED = frozenset[Kind](("timeout", "rate", "server", "connection"))
ONCE_MORE = frozenset[Kind](("empty", "malformed"))


@dataclass(frozen=True, slots=True)
class Retrying:
    times: int  # attempts after the first
    sleep: Callable[[float], object]

    def wait(self, error: ModelError, attempt: int, stop: Stop | None) -> None:
        """Returns when it is time for the next attempt; raises `error` where there shall be none."""
        wait = FIRST_WAIT * 2 ** (attempt - 1) if error.wait is None else error.wait
        if error.final or error.partial or attempt > self._allowed(error.kind) or wait > LONGEST_WAIT:
            raise error
        slices = 1 if stop is None else max(1, round(wait / LOOK))
        for _ in range(slices):
            if stop is not None and stop():
                raise ModelError("stopped", "model-stopped", error.host, says=error.says)
            self.sleep(wait / slices)

    def _allowed(self, kind: Kind) -> int:
        if kind in RETRIED:
            return self.times
        return min(1, self.times) if kind in ONCE_MORE else 0
