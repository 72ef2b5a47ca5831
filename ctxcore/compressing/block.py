"""The lines of a digest, chosen one by one while they fit; their counts are remembered from one budget to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcore.compressing.picking import PATIENCE
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True)
class Room:
    tokens: int
    focus: int  # of them, those that go to the query
    counter: Counter


class Block:
    """`costs`: tokens of each line, -1 where nobody has counted it yet; counted here when a line is tried."""

    def __init__(self, lines: Sequence[str], keys: Sequence[int], costs: list[int], room: Room) -> None:
        self._lines, self._keys, self._costs, self._room = lines, keys, costs, room
        self._used = 0
        self._said: set[int] = set()
        self.taken: dict[int, None] = {}  # in the order they were taken
        self.misfits = 0  # in a row

    def take(self, order: Sequence[int], up_to: int) -> None:
        """What fits into `up_to` tokens in all; the first of all may take the whole room."""
        self.misfits = 0
        for at in order:
            self.put(at, up_to if self.taken else self._room.tokens)
            if self.misfits >= PATIENCE:
                return

    def put(self, at: int, up_to: int) -> bool:
        if self._keys[at] in self._said:
            return False
        cost = self._costs[at]
        if cost < 0:
            cost = self._costs[at] = self._room.counter.count(self._lines[at])
        if self._used + cost > up_to:
            self.misfits += 1
            return False
        self.taken[at] = None
        self._said.add(self._keys[at])
        self._used, self.misfits = self._used + cost, 0
        return True

    def settled(self, adds_up: bool) -> list[int]:
        """What was taken; without the last of it, where the block is more than the sum of its lines."""
        taken, room = list(self.taken), self._room
        if not adds_up:
            while taken and room.counter.count("".join([self._lines[at] for at in sorted(taken)])) > room.tokens:
                taken.pop()
        return taken
