"""One budget type for fixed caps (article 1), shares of the window (article 2) and layers (article 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ctxcore.errors import BudgetError
from ctxcore.item import Source

MEDIA = "media"  # a limit that is there where the user sets it
MOST = 10**15  # tokens; larger numbers overflow where they meet a fraction


@dataclass(frozen=True, slots=True)
class Limit:
    """A ceiling for some sources: `tokens`, or else `share` of the window (0.25 = 25 %). Not a grant."""

    name: str
    sources: tuple[Source, ...]
    tokens: int | None = None
    share: float | None = None
    native: bool = True  # came with the system; one that the user typed never scales
    inner: bool = False  # holds a part of what others hold: no part of their sum

    @property
    def typed(self) -> str:
        """As a person writes it: `25%` or `2000`; "" for one that is not set."""
        return f"{100 * self.share:g}%" if self.share is not None else "" if self.tokens is None else str(self.tokens)


MEDIA_LIMIT = Limit(MEDIA, (Source.IMAGE, Source.AUDIO, Source.FILE), inner=True)


class Caps(dict[str, int]):
    """Tokens by limit. A stage of another system asks for limits that are none here: an error in words, no KeyError."""

    def __missing__(self, name: str) -> int:
        raise no_limit(name, self)


def no_limit(name: str, there: Iterable[str]) -> BudgetError:
    return BudgetError("no-limit", name=name, there=list(there))


@dataclass(frozen=True, slots=True)
class Budget:
    """`room` = window − reserve. `fixed` (tool definitions, reply priming) is taken off the room first.

    `native_room` is the room that the caps were written for: where it is given, native token caps shrink with the
    room that is left after the fixed costs, and never grow.
    """

    window: int
    reserve: int
    limits: tuple[Limit, ...] = ()
    fixed: int = 0
    native_room: int | None = None
    reserve_share: float | None = None  # where the reserve is a share as the limits are

    @property
    def room(self) -> int:
        return self.window - self.reserve

    @property
    def scale(self) -> float:
        """What native caps are multiplied by, 0–1."""
        if self.native_room is None:
            return 1.0
        return min(1.0, max(0, self.room - self.fixed) / max(1, self.native_room - self.fixed))

    def limit(self, name: str) -> Limit:
        for limit in self.limits:
            if limit.name == name:
                return limit
        raise no_limit(name, [limit.name for limit in self.limits])

    def cap(self, name: str) -> int:
        """Tokens that the limit allows at this window. Raises BudgetError for an unknown name."""
        return self.caps()[name]

    def caps(self) -> Caps:
        shared = dict(zip(self._shared(), self._split(), strict=True))
        return Caps((x.name, shared[x.name] if x.name in shared else self._tokens(x)) for x in self.limits)

    def _tokens(self, limit: Limit) -> int:
        if limit.share is not None:
            return math.floor(Fraction(str(limit.share)) * self.window)
        return int((limit.tokens or 0) * (self.scale if limit.native else 1.0))

    def _shared(self) -> list[str]:
        return [x.name for x in self._outer()]

    def _outer(self) -> list[Limit]:
        """The shares that may add up to the window."""
        return [x for x in self.limits if x.share is not None and not x.inner]

    def _split(self) -> list[int]:
        """Shares as tokens. Where they and the reserve are exactly the window, no token is lost to rounding."""
        exact = [Fraction(str(x.share)) * self.window for x in self._outer()]
        floors = [math.floor(x) for x in exact]
        shares = sum(Fraction(str(x.share)) for x in self._outer())
        whole = self.reserve_share is not None and shares + Fraction(str(self.reserve_share)) == 1
        if sum(exact) + self.reserve != self.window and not whole:
            return floors
        by_remainder = sorted(range(len(exact)), key=lambda at: floors[at] - exact[at])
        for at in by_remainder[: self.window - self.reserve - sum(floors)]:
            floors[at] += 1
        return floors

    def surplus(self) -> float:
        """By how much the shares add up to more than the whole window; 0 where they do not."""
        return max(0.0, float(sum(Fraction(str(x.share)) for x in self._outer()) - 1))


def parse_limit(name: str, value: str | int | float) -> tuple[int | None, float | None]:
    """`25%` → a share, `2000` → tokens. Raises BudgetError that names the limit and what it may be."""
    text = str(value).strip().replace("_", "")
    try:
        if text.endswith("%"):
            share = float(text[:-1]) / 100
            if not 0 <= share <= MOST:  # so that NaN is refused too
                raise ValueError
            return None, share
        tokens = int(text)
        if not 0 <= tokens <= MOST:
            raise ValueError
        return tokens, None
    except ValueError:
        raise BudgetError("limit-value", name=name, value=value) from None


def with_limits(budget: Budget, typed: Mapping[str, str | int | float]) -> Budget:
    """The budget with the user's limits instead of the system's, and with one for media where the user sets it. Raises
    BudgetError for an unknown name."""
    changed = {}
    for name, value in typed.items():
        tokens, share = parse_limit(name, value)
        own = MEDIA_LIMIT if name == MEDIA and budget.limits else budget.limit(name)
        changed[name] = replace(own, tokens=tokens, share=share, native=False)
    held = [changed.pop(limit.name, limit) for limit in budget.limits]
    return replace(budget, limits=(*held, *changed.values()))


def reserve_for(window: int, given: int | None, native: int) -> int:
    """Tokens kept free for the answer. One that the user sets is never altered, even where it leaves no room: that is
    a state to be shown, not an error. Raises BudgetError for what can be no number of tokens."""
    reserve = min(native, window // 8) if given is None else given
    if not (0 <= window <= MOST and 0 <= reserve <= MOST):
        raise BudgetError("window-reserve", window=window, reserve=reserve, most=MOST)
    return reserve


def smallest_window(floor: int, given: int | None, native: Callable[[int], int]) -> int:
    """The smallest window whose room holds `floor` tokens, with the reserve that it would then have: `native` gives
    the system's own for a window."""
    if given is not None:
        return floor + given
    low, high = floor, 2 * floor + 8  # the reserve is an eighth of the window at most, so the room grows with it
    while low < high:
        middle = (low + high) // 2
        fits = middle - min(native(middle), middle // 8) >= floor
        low, high = (low, middle) if fits else (middle + 1, high)
    return low
