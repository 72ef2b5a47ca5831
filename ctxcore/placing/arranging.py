"""From a payload to units that can be put in a better order, and back: what may move, and what must stay in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ctxcore.counting.totals import Totals
from ctxcore.errors import InputError
from ctxcore.fitting import measured
from ctxcore.item import Source
from ctxcore.message import Message
from ctxcore.payload import Payload
from ctxcore.placing.curves import Curve
from ctxcore.placing.pieces import Piece, pieces_of, written
from ctxcore.placing.unit import FIRST, FREE, LAST, Unit

TALK = "talk"
SPOKEN = (Source.CONVERSATION, Source.USER, Source.SUMMARY)


@dataclass(frozen=True)
class Arrangement:
    """A payload with its messages, and how much each of its items matters (id → 0–3).

    `prefix`: tokens at the front that a cache holds; what begins there stays where it is.
    """

    payload: Payload
    weights: Mapping[str, float]
    prefix: int = 0

    @cached_property
    def pieces(self) -> Mapping[str, Piece]:
        return {piece.key: piece for piece in pieces_of(self.payload.messages)}

    @cached_property
    def tools(self) -> int:
        return self.measured(self.payload.messages).tools

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The pieces in their present order. System texts at the front and the last message stay; turns, and the parts
        of one document, keep their order."""
        out: list[Unit] = []
        at, last = self.tools, len(self.pieces) - 1
        leading = True
        for place, (key, piece) in enumerate(self.pieces.items()):
            leading = leading and all(item.source is Source.SYSTEM for item in piece.items)
            fixed = FIRST if leading or at < self.prefix else LAST if place == last else FREE
            tokens = self._cost(piece)
            weight = sum(self.weights.get(item.id, 0.0) for item in piece.items)
            out.append(Unit(key, max(1, tokens), weight, _chain(piece), fixed))
            at += tokens
        return tuple(out)

    def messages(self, order: Iterable[str]) -> tuple[Message, ...]:
        return written(self.pieces[key] for key in order)

    def expected(self, messages: Sequence[Message], curve: Curve) -> float:
        """Importance-weighted expected recall of the items as they lie in these messages, 0–1."""
        model, counter = self.payload.model, self.payload.counter
        total = max(1, self.measured(messages).total)
        won = whole = 0.0
        at = self.tools
        for message in messages:
            for item, begin, end in message.spans(model, counter):
                weight = self.weights.get(item.id, 0.0)
                won += weight * curve.over((at + begin) / total, (at + end) / total)
                whole += weight
            at += message.cost(model, counter)
        return won / whole if whole else 0.0

    def measured(self, messages: Sequence[Message]) -> Totals:
        return measured(self.payload, self.payload.items, messages)

    def unchanged(self, messages: Sequence[Message]) -> int:
        """Tokens at the front that are as before: what a cache of the present payload still serves."""
        at = self.tools
        for before, after in zip(self.payload.messages, messages, strict=False):
            if before.role != after.role or before.texts != after.texts:
                break
            at += before.cost(self.payload.model, self.payload.counter)
        return at

    def _cost(self, piece: Piece) -> int:
        model, counter = self.payload.model, self.payload.counter
        if piece.section is None:
            return sum(message.cost(model, counter) for message in piece.messages)
        return sum(item.tokens for item in piece.items)


def _chain(piece: Piece) -> str:
    if not piece.items:
        return TALK
    first = piece.items[0]
    if piece.section is None and any(item.source in SPOKEN or item.group or item.message for item in piece.items):
        return TALK
    return f"doc:{first.name}" if first.source is Source.DOC and first.name else ""


def by_hand(units: Sequence[Unit], order: str) -> tuple[Unit, ...]:
    """The units as a JSON list of their keys says; those that it does not name keep their place behind what they
    followed. What must stay in order does. Raises InputError."""
    wanted = _keys(order)
    rank = {key: at for at, key in enumerate(wanted)}
    ranks: dict[str, tuple[float, int]] = {}
    behind = -1.0
    for at, unit in enumerate(units):
        behind = float(rank.get(unit.key, behind))
        ranks[unit.key] = (behind, at)
    return in_chains(units, sorted(units, key=lambda unit: (unit.place, *ranks[unit.key])))


def in_chains(units: Sequence[Unit], order: Sequence[Unit]) -> tuple[Unit, ...]:
    """`order`, in which the members of each chain fill its places in their own order."""
    place: Callable[[Unit], tuple[int, str]] = lambda unit: (unit.place, unit.chain)  # noqa: E731
    queues = {place(unit): [one for one in units if place(one) == place(unit)] for unit in units if unit.chain}
    return tuple(queues[place(unit)].pop(0) if unit.chain else unit for unit in order)


def _keys(order: str) -> list[str]:
    try:
        found = json.loads(order)
    except ValueError as cause:
        raise InputError("layout-order") from cause
    if not isinstance(found, list) or not all(isinstance(key, str) for key in found):
        raise InputError("layout-order")
    return found
