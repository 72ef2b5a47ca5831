"""One guard for every service: it may be slow, fail, or answer what cannot be. The build goes on, and says so.

A service may say how long one call may take: its attribute `patience`, in seconds; None where it runs in this process
or keeps times of its own. A `trusted` one is part of this package: it is not watched, so that its faults are seen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ctxcore.errors import CtxError
from ctxcore.words import Phrase

T = TypeVar("T")
S = TypeVar("S")
Telling = tuple[str, dict[str, Any]]  # rule and facts
PATIENCE = 10.0  # seconds, of a service that does not say
MOST_TOLD = 20  # of one service in one stage: a thousand refused answers are one story


class Refused(CtxError):
    """An answer that cannot be."""


class Watched(Generic[S]):
    """Watches one service for the length of one build. One that was late or failed is not asked again in that build;
    of one that answers what cannot be, each answer is refused for itself."""

    rule = ""  # of its failure

    def __init__(self, service: S) -> None:
        self.service = service
        self.name = str(getattr(service, "name", type(service).__name__))
        self.patience: float | None = getattr(service, "patience", PATIENCE)
        self.is_down = False
        self._told: list[Telling] = []

    @property
    def fingerprint(self) -> str:
        return str(getattr(self.service, "fingerprint", self.name))

    def told(self) -> tuple[Telling, ...]:
        """What happened since this was last asked, what the service itself has to tell included."""
        tell = getattr(self.service, "told", None)
        told, self._told = self._told, []
        return (*(tell() if tell else ()), *told)

    def ask(self, call: Callable[[], T], check: Callable[[T], T]) -> T | None:
        """What the service answers, as `check` lets it pass; None where something else must stand in."""
        if self.is_down:
            return None
        try:
            return check(self._in_time(call))
        except Refused as fault:
            self._tell("answer", fault.told)
        except TimeoutError:
            self._fail("timeout", Phrase("service-late", seconds=self.patience or 0))
        except Exception as fault:  # a service is anybody's code
            self._fail("error", _words(fault))
        return None

    def _in_time(self, call: Callable[[], T]) -> T:
        """In a thread of its own, which is left behind where it is late."""
        if self.patience is None:
            return call()
        answer: list[T] = []
        faults: list[Exception] = []

        def run() -> None:
            try:
                answer.append(call())
            except Exception as fault:
                faults.append(fault)

        thread = threading.Thread(target=run, name=f"service {self.name}", daemon=True)
        thread.start()
        thread.join(self.patience)
        if thread.is_alive():
            raise TimeoutError
        if faults:
            raise faults[0]
        return answer[0]

    def _fail(self, fault: str, says: Phrase) -> None:
        self.is_down = True
        self._tell(fault, says)

    def _tell(self, fault: str, says: Phrase) -> None:
        if len(self._told) < MOST_TOLD:
            self._told.append((self.rule, {"service": self.name, "fault": fault, "says": says}))


def _words(fault: Exception) -> Phrase:
    """Ours says what happened; of others only the kind: a text may hold an address, a key, or what was asked."""
    return fault.told if isinstance(fault, CtxError) else Phrase("service-fault", kind=type(fault).__name__)
