"""Numbers that remember what they were compared with, so that a run tells for which budgets it would go the same way.

A tracked number is a root, such as the room or the cap of one limit, plus a constant. Each comparison narrows the
interval of its root within which the answer stays the same. What cannot be followed (a conversion to a plain number)
narrows it to the one value there is: a run is never believed to say more than it does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Number = int | float


class Root:
    """`at` gives its value anywhere on the axis along which the budget is moved; `value` is the one of this run.
    As long as it lies between `low` and `high`, all comparisons come out the same."""

    __slots__ = ("at", "high", "low", "seen", "value")

    def __init__(self, at: Callable[[int], Number], value: Number, seen: Comparisons) -> None:
        self.at, self.value, self.seen = at, value, seen
        self.low, self.high = -math.inf, math.inf
        seen.roots.append(self)

    def derived(self, change: Callable[[Number], Number]) -> Tracked:
        at = self.at
        return Tracked(Root(lambda k: change(at(k)), change(self.value), self.seen))

    def is_below(self, edge: Number) -> bool:
        """Whether it is less than `edge`, remembered."""
        value = self.value
        if type(value) is not int:
            if edge not in (math.inf, -math.inf):
                self.low = self.high = value  # of a fraction nothing is known but that it is what it is
            return value < edge
        if type(edge) is not int:
            if edge in (math.inf, -math.inf):
                return value < edge
            edge = math.ceil(edge)
        if value < edge:
            if edge <= self.high:
                self.high = edge - 1
            return True
        if edge > self.low:
            self.low = edge
        return False


class Comparisons:
    """All roots of one run, and the differences between two of them that were compared."""

    def __init__(self) -> None:
        self.roots: list[Root] = []
        self.differences: dict[tuple[int, int], Root] = {}

    def holds(self, k: int) -> bool:
        """Whether all comparisons would come out the same at the place k."""
        return all(root.low <= root.at(k) <= root.high for root in self.roots)

    def difference(self, one: Root, other: Root) -> Root:
        key = (id(one), id(other))
        if key not in self.differences:
            mine, theirs = one.at, other.at
            self.differences[key] = Root(lambda k: mine(k) - theirs(k), one.value - other.value, self)
        return self.differences[key]


class Tracked:
    """Behaves as the number `root.value + more`."""

    __slots__ = ("more", "root")
    __array_ufunc__ = None  # so that numpy's numbers leave the comparison to this class

    def __init__(self, root: Root, more: Number = 0) -> None:
        self.root, self.more = root, more

    @property
    def value(self) -> Number:
        return self.root.value + self.more

    def settled(self) -> Number:
        """As a plain number, of which nothing is known but that it is what it is."""
        self.root.low = self.root.high = self.root.value
        return self.value

    # -- comparing -----------------------------------------------------------------------------

    def _below(self, other: Any, more: int = 0) -> bool:
        """self < other + more. On whole numbers, `more` = 1 makes it self <= other."""
        if not isinstance(other, Tracked):
            return self.root.is_below(other - self.more + more)
        edge = other.more - self.more + more
        if other.root is self.root:
            return edge > 0
        return self.root.seen.difference(self.root, other.root).is_below(edge)

    def __lt__(self, other: Any) -> bool:
        return self._below(other)

    def __le__(self, other: Any) -> bool:
        return self._below(_floor(other), 1)

    def __ge__(self, other: Any) -> bool:
        return not self._below(other)

    def __gt__(self, other: Any) -> bool:
        return not self._below(_floor(other), 1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tracked | int | float):
            return False
        return self <= other and self >= other

    def __hash__(self) -> int:
        return hash((id(self.root), self.more))  # two of one root are equal or not wherever the budget is

    def __bool__(self) -> bool:
        return self != 0

    # -- reckoning -----------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Tracked):
            return Tracked(self.root, self.more + other)
        mine, theirs, more = self.root.at, other.root.at, self.more + other.more
        value = self.root.value + other.root.value
        return Tracked(Root(lambda k: mine(k) + theirs(k), value, self.root.seen), more)

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, Tracked):
            return Tracked(self.root, self.more - other)
        if other.root is self.root:
            return self.more - other.more
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Tracked:
        return self._change(lambda x: -x)

    def __mul__(self, other: Any) -> Tracked:
        return self._change(lambda x: x * _plain(other))

    def __floordiv__(self, other: Any) -> Tracked:
        return self._change(lambda x: x // _plain(other))

    def __truediv__(self, other: Any) -> Tracked:
        return self._change(lambda x: x / _plain(other))

    def __floor__(self) -> Tracked:
        return self._change(math.floor)

    def __round__(self, digits: int | None = None) -> Tracked:
        return self._change(lambda x: round(x, digits))

    __radd__, __rmul__ = __add__, __mul__

    def _change(self, change: Callable[[Number], Number]) -> Tracked:
        more = self.more
        return self.root.derived(lambda x: change(x + more))

    # -- leaving -------------------------------------------------------------------------------

    def __int__(self) -> int:
        return int(self.settled())

    def __index__(self) -> int:
        return int(self.settled())

    def __float__(self) -> float:
        return float(self.settled())

    def __format__(self, spec: str) -> str:
        return format(self.settled(), spec)

    def __repr__(self) -> str:
        return repr(self.settled())


def _floor(other: Any) -> Any:
    return math.floor(other) if type(other) is float and math.isfinite(other) else other


def _plain(other: Any) -> Number:
    return other.settled() if isinstance(other, Tracked) else other
