"""One step of the window's slider: from the key to the new picture, in turns with a step in an empty app."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from playwright.sync_api import Playwright

from bench.browser.apps import EMPTY, OURS, Cost, Spread, open_long, spread, visited

SYSTEMS, VIEWS = ("gssc", "compiler", "layered"), ("items", "treemap")
TARGETS: Mapping[int, float] = {1_000: 2.0, 10_000: 4.0}  # messages → empty round trips that a move may take
MOVES, WARM = 40, 5


@dataclass(frozen=True, slots=True)
class Moved:
    """All moves of one app, and those of the empty one in between them."""

    name: str
    costs: Spread
    floor: Spread
    target: float

    @property
    def ratio(self) -> float:
        return self.costs.p95 / self.floor.p95


def moved(
    playwright: Playwright, sizes: Sequence[int], systems: Sequence[str] = SYSTEMS, moves: int = MOVES
) -> Iterator[Moved]:
    """Each step is to a window that was not asked for before: what is remembered of a window does not help."""
    for size in sizes:
        for system, view in product(systems, VIEWS):
            with visited(playwright, EMPTY) as empty, visited(playwright, OURS) as ours:
                empty.visitor.open("/")
                open_long(ours.visitor, size, system, view)
                pairs = [(empty.move(), ours.move()) for _ in range(WARM + moves)][WARM:]
            floor, costs = (spread(side) for side in _sides(pairs))
            yield Moved(f"{system}, {view}, {size:,} messages", costs, floor, TARGETS.get(size, 0.0))


def _sides(pairs: Sequence[tuple[Cost, Cost]]) -> tuple[list[Cost], list[Cost]]:
    return [one for one, _ in pairs], [other for _, other in pairs]
