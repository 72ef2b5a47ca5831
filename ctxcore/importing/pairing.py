"""Ids for calls that have none: results are paired with them by name and order."""

from __future__ import annotations


class Pairing:
    """`call` gives the id of a call, `result` the id of the call that a result answers; "" where no call waits."""

    def __init__(self) -> None:
        self.count = 0
        self.waiting: list[tuple[str, str]] = []  # name and id of the calls that are not answered yet

    def call(self, name: str, key: str = "") -> str:
        if not key:
            self.count += 1
            key = f"synthetic-{self.count}"
        self.waiting.append((name, key))
        return key

    def result(self, name: str = "", key: str = "") -> str:
        """The oldest waiting call with that id or name; of any name where the result does not tell one."""
        for at, (called, known) in enumerate(self.waiting):
            if (key and key == known) or (not key and name in ("", called)):
                del self.waiting[at]
                return known
        return key

    def close(self) -> None:
        """What is not answered now never will be: the next turn began."""
        self.waiting.clear()
