"""People on one server: each with a conversation of their own, moving a limit; by WebSocket, as a browser talks."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import quantiles

from bench.conversation import conversation
from tests.browser.talking import Talker

MESSAGES = 1_000
LIMIT = "limits.history"
MARK = re.compile(rb"mark-of-(\d+)-alone")
WRONG = re.compile(rb"Something went wrong|Traceback")


@dataclass
class Person:
    number: int
    pause: float  # seconds between a picture and the next move
    seconds: list[float] = field(default_factory=list)  # from a move to its picture
    faults: list[str] = field(default_factory=list)
    talker: Talker | None = None

    def arrive(self, address: str) -> None:
        mark = f"mark-of-{self.number}-alone"
        messages = conversation(MESSAGES, self.number)
        for message in messages[1::5]:
            message["content"] = f"{mark} {message['content'] or ''}"
        self.talker = Talker(address)
        self.talker.open("/sources?scenario=support-chat")
        self.talker.put("sources.section", "Open").put("sources.drop.0", ("chat.json", json.dumps(messages).encode()))
        self.talker.go("/")
        assert mark.encode() in b"".join(self.talker.heard), "what was opened is what is seen"
        self.talker.put("quick.128000", True)

    def move(self, until: Callable[[], bool]) -> None:
        assert self.talker is not None
        at = 0
        while not until():
            at += 1
            began = time.perf_counter()
            try:
                self.talker.put(LIMIT, float(2_000 + 97 * self.number + 331 * at % 60_000))
            except Exception as error:  # whatever it is, it is what the person sees
                self.faults.append(f"{type(error).__name__}: {error}")
                return
            self.seconds.append(time.perf_counter() - began)
            self._look()
            time.sleep(self.pause)

    def _look(self) -> None:
        heard = b"".join(self.talker.heard) if self.talker else b""
        if others := {int(one) for one in MARK.findall(heard)} - {self.number}:
            self.faults.append(f"saw texts of {others}")
        if found := WRONG.search(heard):
            self.faults.append(found[0].decode())


def crowd(address: str, people: int, seconds: float, pause: float) -> list[Person]:
    """So many people for so long, after all have arrived."""
    everyone = [Person(number, pause) for number in range(1, people + 1)]
    for person in everyone:
        person.arrive(address)
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=one.move, args=(lambda: time.monotonic() > until,)) for one in everyone]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for person in everyone:
        if person.talker:
            person.talker.close()
    return everyone


def spread(people: list[Person]) -> tuple[float, float, int]:
    """p50 and p95 in seconds, of how many moves."""
    taken = sorted(one for person in people for one in person.seconds)
    cuts = quantiles(taken, n=20)
    return cuts[9], cuts[18], len(taken)


def resident(process: int) -> float:
    """Megabytes of memory that a process holds."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
