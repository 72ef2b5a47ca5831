"""The axis along which a budget grows: one limit, or the window. All its budgets at once, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ctxcore.budget import Budget, Limit
from ctxcore.build import build_budget
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings
from ctxcore.systems import system_called

WINDOW = "window"
Array = Any  # numpy's array with one number for each budget of the axis


@dataclass(frozen=True)
class Axis:
    """`over` is `window` or a limit's name; budgets run from `start` to `stop` tokens, both included, by `step`."""

    scenario: Scenario
    settings: Settings
    over: str
    start: int
    stop: int
    step: int = 1

    def tokens(self, places: Array) -> Array:
        """The budgets of places in the arrays; the place after the last one is the budget after `stop`."""
        import numpy as np

        return np.minimum(self.start + self.step * places, self.stop + 1)

    def at(self, tokens: int) -> Settings:
        return moved(self.settings, self.over, tokens)

    def budget(self, tokens: int) -> Budget:
        return build_budget(self.scenario, self.at(tokens))


def moved(settings: Settings, over: str, tokens: int) -> Settings:
    """The settings with the window, or that limit, at so many tokens."""
    if over == WINDOW:
        return replace(settings, window=tokens)
    return replace(settings, limits=(*((n, v) for n, v in settings.limits if n != over), (over, str(tokens))))


@dataclass(frozen=True)
class Budgets:
    """`rooms`, `caps` and `scale` hold one number for each budget; `fixed` is the same in all."""

    rooms: Array
    caps: Mapping[str, Array]
    scale: Array
    fixed: int


def budgets_of(axis: Axis) -> Budgets:
    """The same as `axis.budget(at)` for each point of the axis, without making them one by one."""
    import numpy as np

    first = axis.budget(axis.start)
    at = np.arange(axis.start, axis.stop + 1, axis.step, dtype=np.int64)
    if axis.over != WINDOW:
        caps = {name: np.full(len(at), cap) for name, cap in first.caps().items()} | {axis.over: at}
        return Budgets(np.full(len(at), first.room), caps, np.full(len(at), first.scale), first.fixed)
    rooms = at - _reserves(axis.settings, at)
    scale = np.ones(len(at))
    if first.native_room is not None:
        scale = np.minimum(1.0, np.maximum(0, rooms - first.fixed) / max(1, first.native_room - first.fixed))
    caps = {limit.name: _caps(limit, at, scale) for limit in first.limits}
    for place in _rounded(first, at, rooms):
        for name, cap in axis.budget(int(at[place])).caps().items():
            caps[name][place] = cap
    return Budgets(rooms, caps, scale, first.fixed)


def _reserves(settings: Settings, windows: Array) -> Array:
    """The reserve at each window, as `reserve_for` gives it."""
    import numpy as np

    if settings.reserve is not None:
        return np.full(len(windows), settings.reserve)
    system = system_called(settings.system)
    if system.reserve_share is not None:
        native = (system.reserve_share * windows).astype(np.int64)
    else:
        native = np.full(len(windows), system.native_reserve(settings.variant, 0))
    return np.minimum(native, windows // 8)


def _caps(limit: Limit, windows: Array, scale: Array) -> Array:
    import numpy as np

    if limit.share is None:
        return ((limit.tokens or 0) * (scale if limit.native else np.ones(len(windows)))).astype(np.int64)
    share = Fraction(str(limit.share))
    if share.numerator * int(windows[-1]) < 1 << 62:
        return share.numerator * windows // share.denominator
    return np.array([share.numerator * int(window) // share.denominator for window in windows])


def _rounded(budget: Budget, windows: Array, rooms: Array) -> list[int]:
    """The places at which shares and reserve are exactly the window, and largest remainders get a token more."""
    import numpy as np

    shares = sum((Fraction(str(x.share)) for x in budget.limits if x.share is not None and not x.inner), Fraction(0))
    if not shares:
        return []
    if budget.reserve_share is not None and shares + Fraction(str(budget.reserve_share)) == 1:
        return list(range(len(windows)))
    exactly = shares.numerator * windows == shares.denominator * rooms
    return [int(place) for place in np.nonzero(exactly)[0]]


def typed(tokens: int, window: int, *, share: bool) -> str:
    """A limit as a person writes it: tokens, or the shortest percentage that is so many tokens of the window."""
    if not share or window <= 0:
        return str(tokens)
    for digits in range(1, 9):
        unit = Fraction(1, 10 ** (digits + 2))
        steps = -(-Fraction(tokens, window) // unit)  # rounded up: a ceiling that is a token short would not do
        percent = float(steps * unit * 100)
        if int(Fraction(f"{percent:.{digits}f}") / 100 * window) == tokens:
            return f"{percent:.{digits}f}".rstrip("0").rstrip(".") + "%"
    return str(tokens)
