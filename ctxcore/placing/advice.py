"""What another order of the same payload would gain, beside what fewer tokens would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ctxcore.message import Message
from ctxcore.placing.arranging import Arrangement
from ctxcore.placing.curves import Curve
from ctxcore.placing.importance import GUESSED, Importance
from ctxcore.placing.optimum import optimum
from ctxcore.placing.policies import policies
from ctxcore.placing.presets import DEFAULT, Preset, curve_at
from ctxcore.placing.unit import Unit
from ctxcore.trace import Trace

WORTH = 1.0  # points: a smaller gain is not worth a change


@dataclass(frozen=True)
class Advice:
    """Expected recall in percent, of the payload as it lies and in other orders."""

    arrangement: Arrangement
    curve: Curve
    fill: float
    halved: float  # the present order, if the payload had half the tokens
    orders: Mapping[str, tuple[Unit, ...]]  # policy → order; `best` is the best that is found

    @cached_property
    def present(self) -> float:
        return self._percent(self.arrangement.payload.messages)

    @cached_property
    def expected(self) -> Mapping[str, float]:
        """By policy; measured on the payload as it would be written, headings included."""
        return {name: self._percent(self.messages(name)) for name in self.orders}

    @property
    def gain(self) -> float:
        """Points that the best order gains."""
        return self.expected["best"] - self.present

    @property
    def is_worth_it(self) -> bool:
        return self.gain > WORTH

    def messages(self, name: str) -> Sequence[Message]:
        return self.arrangement.messages(unit.key for unit in self.orders[name])

    def uncached(self, name: str) -> int:
        """Tokens behind the first one that changes: a cache of the present payload does not serve them."""
        messages = self.messages(name)
        return self.arrangement.measured(messages).total - self.arrangement.unchanged(messages)

    def _percent(self, messages: Sequence[Message]) -> float:
        return 100 * self.arrangement.expected(messages, self.curve)


def advice(
    trace: Trace,
    preset: str | Preset = DEFAULT,
    *,
    window: int | None = None,
    importance: Importance = GUESSED,
    prefix: int = 0,
) -> Advice:
    """`window`: the payload as it would be read in another one; `prefix`: tokens at the front that stay."""
    now = Arrangement(trace.final, importance.of(trace.final.items), prefix)
    fill = trace.totals.total / max(1, window or trace.budget.window)
    curve = curve_at(fill, preset)
    halved = 100 * now.expected(trace.final.messages, curve_at(fill / 2, preset))
    return Advice(now, curve, fill, halved, {**policies(now), "best": optimum(now.units, curve)})
