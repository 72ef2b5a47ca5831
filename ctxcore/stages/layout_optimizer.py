"""LayoutOptimizer: the payload in the order in which most of what matters can be expected to be recalled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.fitting import reorder
from ctxcore.message import Message, without_callers
from ctxcore.payload import Payload
from ctxcore.placing.arranging import Arrangement, by_hand
from ctxcore.placing.given import preset_from
from ctxcore.placing.importance import Importance, priors
from ctxcore.placing.optimum import optimum
from ctxcore.placing.presets import DEFAULT, curve_at, presets
from ctxcore.services import Services


@dataclass(frozen=True)
class LayoutOptimizer:
    """Runs after the assembler. System texts stay in front and the last message stays last; turns keep their order,
    calls their results."""

    name: ClassVar[str] = "layout-optimizer"
    curve: str = field(
        default=DEFAULT, metadata={"choices": tuple(presets()), "about": "what is expected to be recalled where"}
    )
    measured: str = field(default="", metadata={"about": "a measured curve as text, in place of `curve`"})
    min_gain: float = field(default=1.0, metadata={"about": "points of expected recall that moving must gain"})
    prefix: int = field(default=0, metadata={"about": "tokens at the front that a cache holds, and that stay"})
    weights: str = field(default="", metadata={"about": "importance by source, 0–3, such as `doc=3 tool=0.5`"})
    order: str = field(default="", metadata={"about": "an order by hand, as a JSON list of item ids"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        if not payload.messages:
            return payload
        weights = Importance(priors(self.weights)).of(payload.items)
        now = Arrangement(payload, weights, self.prefix)
        preset = preset_from(self.measured) if self.measured else self.curve
        curve = curve_at(now.measured(payload.messages).total / max(1, payload.budget.window), preset)
        units = by_hand(now.units, self.order) if self.order else optimum(now.units, curve)
        messages = now.messages(unit.key for unit in units)
        before, after = (100 * now.expected(one, curve) for one in (payload.messages, messages))
        facts = {"here": round(before, 1), "best": round(after, 1), "gain": round(after - before, 1)}
        if messages == payload.messages or (not self.order and after - before < self.min_gain):
            return self._left(payload, "layout-good", least=self.min_gain, **facts)
        over = now.measured(messages).total - payload.budget.room
        if over > 0 and over > now.measured(payload.messages).total - payload.budget.room:
            return self._left(payload, "layout-no-room", over=over, **facts)
        return self._moved(payload, messages, facts)

    def _moved(self, payload: Payload, messages: Sequence[Message], facts: dict[str, float]) -> Payload:
        edit = payload.edit(self.name)
        edit.set(messages=without_callers(tuple(messages), payload.model, payload.counter))
        done = edit.done()
        order = [item for message in messages for item in message.items]
        return reorder(done, order, self.name, "layout-by-hand" if self.order else "layout-optimum", **facts)

    def _left(self, payload: Payload, rule: str, **facts: float) -> Payload:
        edit = payload.edit(self.name)
        edit.keep(payload.items, rule, **facts)
        return edit.done()
