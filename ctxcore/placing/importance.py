"""How much a fact of an item is taken to matter, where nobody says: 3 = the answer hangs on it, 0 = not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ctxcore.errors import InputError
from ctxcore.item import Item, Source

MOST = 3.0
PRIOR: Mapping[Source, float] = MappingProxyType(
    {
        Source.SYSTEM: 3.0,
        Source.USER: 3.0,
        Source.STATE: 3.0,
        Source.NOTE: 2.0,
        Source.MEMORY: 2.0,
        Source.PROFILE: 1.0,
        Source.DOC: 2.0,
        Source.TOOL: 1.0,
        Source.SUMMARY: 1.0,
        Source.CONVERSATION: 1.0,
    }
)


@dataclass(frozen=True)
class Importance:
    """`priors` by source, 0–3; items that hold one of `facts`, and pins, count most."""

    priors: Mapping[Source, float] = field(default_factory=dict)
    facts: tuple[str, ...] = ()

    def of(self, items: Sequence[Item]) -> dict[str, float]:
        """By id. Documents count by their relevance, turns of the conversation by how recent they are."""
        newest = max((item.turn for item in items), default=0)
        return {item.id: self._of(item, newest) for item in items}

    def _of(self, item: Item, newest: int) -> float:
        if item.pinned or any(fact in item.text for fact in self.facts):
            return MOST
        source = Source.CONVERSATION if item.is_media else item.source
        weight = self.priors.get(source, PRIOR.get(source, 1.0))
        if source is Source.CONVERSATION:
            return weight * (0.2 + 0.8 * (item.turn / newest if newest else 1.0))
        return weight * (0.25 + 0.75 * item.relevance) if source is Source.DOC else weight


GUESSED = Importance()


def priors(text: str) -> Mapping[Source, float]:
    """`doc=3 tool=0.5` as numbers by source. Raises InputError."""
    found = {}
    for pair in text.replace(",", " ").split():
        name, _, value = pair.partition("=")
        try:
            found[Source(name)] = min(MOST, max(0.0, float(value)))
        except ValueError as cause:
            raise InputError("importance-pair", pair=pair, there=list(PRIOR)) from cause
    return found
