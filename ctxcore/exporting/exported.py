"""What an export comes to: the payload in the other shape, and what that shape could not hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MOST_NAMED = 5  # places that one loss names


@dataclass(frozen=True, slots=True)
class Exported:
    payload: Any  # JSON, or the text of a program
    losses: tuple[str, ...] = ()  # one line a kind: what is not as it was, with its places


@dataclass(slots=True)
class Losses:
    """Collects what could not be held, by kind."""

    found: dict[str, list[str]] = field(default_factory=dict)

    def note(self, what: str, where: str) -> None:
        places = self.found.setdefault(what, [])
        if where not in places:
            places.append(where)

    def lines(self) -> tuple[str, ...]:
        return tuple(f"{what}: {_named(places)}" for what, places in self.found.items())


def _named(places: list[str]) -> str:
    more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return ", ".join(places[:MOST_NAMED]) + more
