"""`python -m bench.layout`: what orders are worth on published curves, and whether the optimum is one.

The first table has 20 equal items of importance 1/rank, each at its place k/19; the second a whole payload.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bench.report import table
from ctxcore.placing.curves import Curve
from ctxcore.placing.optimum import optimum
from ctxcore.placing.policies import long_context_reorder, zigzag
from ctxcore.placing.presets import curve_at
from ctxcore.placing.unit import FIRST, FREE, LAST, Unit, expected

ITEMS, SMALL, LARGE = 20, 500, 2_000
CURVES = {
    "Liu GPT-3.5-Turbo": curve_at(0.5, "liu-gpt-3-5"),
    "Liu Claude-1.3": curve_at(0.5, "liu-claude-1-3"),
    "Liu LongChat-13B": curve_at(0.5, "liu-longchat-13b"),
    "Liu MPT-30B": curve_at(0.5, "liu-mpt-30b"),
    "Llama-2-70b-chat": curve_at(0.5, "liu-llama-2-70b"),
    **{f"fill-aware, f={fill:.2f}": curve_at(fill) for fill in (0.12, 0.38, 0.50, 1.0)},
    "needles GPT-4, f>0.75": curve_at(1.0, "needles-gpt-4"),
}
ORDERS: Mapping[str, Callable[[int], Sequence[int]]] = {
    "best-first": lambda count: list(range(count)),
    "best-last": lambda count: list(reversed(range(count))),
    "LongContextReorder": long_context_reorder,
    "zigzag": zigzag,
}


def main() -> None:
    print(
        table(["E[R], % of 20 equal items", "random", *ORDERS, "n=21: LCR", "optimum", "worst"], list(_equal())), "\n"
    )
    names = {"128k": curve_at(PAYLOAD / 128_000), "32k": curve_at(PAYLOAD / 32_000), "16.4k": curve_at(1.0)}
    curves = {**names, **{k: CURVES[k] for k in ("Liu GPT-3.5-Turbo", "Liu Claude-1.3", "needles GPT-4, f>0.75")}}
    print(table(["a whole payload, 16.4k tokens", *curves], list(_whole(curves.values()))), "\n")
    print(table([f"{SMALL} random small payloads", "mean gap, points", "largest", "over 0.05"], list(_gaps())), "\n")
    print(table([f"optimum of {LARGE:,} units", "ms, best of 5"], list(_seconds())))


def _equal() -> Iterator[list[str]]:
    for name, curve in CURVES.items():
        values = [curve.at(at / (ITEMS - 1)) for at in range(ITEMS)]
        down = sorted(values, reverse=True)
        cells = [sum(values) / ITEMS, *(_ranked(values, order(ITEMS)) for order in ORDERS.values())]
        odd = [curve.at(at / ITEMS) for at in range(ITEMS + 1)]
        cells += [_ranked(odd, long_context_reorder(ITEMS + 1)), _ranked(down, range(ITEMS))]
        yield [name, *(f"{100 * cell:.1f}" for cell in (*cells, _ranked(down[::-1], range(ITEMS))))]


def _ranked(values: Sequence[float], ranks: Sequence[int]) -> float:
    """`values` by place, `ranks` of the items there."""
    weights = [1 / (rank + 1) for rank in ranks]
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def _payload() -> dict[str, list[Unit]]:
    """Sections of the payload in the table: importance falls over the documents, grows over the turns."""
    docs = [Unit(f"doc-{n}", 1_200, weight) for n, weight in enumerate((2.0, 1.5, 1.0, 0.7, 0.5))]
    tools = [Unit(f"tool-{n}", 2_000, weight) for n, weight in enumerate((0.6, 1.0, 2.5))]
    return {
        "system": [Unit("system", 800, 3.0, "", FIRST)],
        "state": [Unit("state", 600, 3.0)],
        "notes": [Unit("notes", 400, 2.0)],
        "docs": docs,
        "docs-last-is-best": docs[::-1],
        "turns": [Unit(f"turn-{n}", 300, 0.2 + 0.8 * n / 7, "talk") for n in range(8)],
        "tools": tools,
        "tools-best-first": tools[::-1],
        "user": [Unit("user", 200, 3.0, "", LAST)],
    }


PAYLOAD = 16_400
LAYOUTS = {
    "gssc, as its code does": "system state notes docs turns tools-best-first user",
    "gssc, as its comment says": "system state notes turns docs tools user",
    "documents first, state last": "system docs-last-is-best turns tools state notes user",
}


def _whole(curves: Iterable[Curve]) -> Iterator[list[str]]:
    found, sections = list(curves), _payload()
    for name, order in LAYOUTS.items():
        units = [unit for section in order.split() for unit in sections[section]]
        yield [name, *(f"{100 * expected(units, curve):.2f}" for curve in found)]
    best = [100 * expected(optimum(units, curve), curve) for curve in found]
    yield ["**optimum**", *(f"**{value:.2f}**" for value in best)]


def _gaps() -> Iterator[list[str]]:
    for name, fill in (("fill-aware", 0.3), ("fill-aware", 1.0), ("liu-gpt-3-5", 0.5), ("needles-gpt-4", 1.0)):
        curve, draw = curve_at(fill, name), random.Random(7)
        gaps = []
        for _ in range(SMALL):
            units = random_units(draw, draw.randint(3, 6))
            best = max(expected(order, curve) for order in itertools.permutations(units) if is_valid(order, units))
            gaps.append(100 * (best - expected(optimum(units, curve), curve)))
        over = sum(gap > 0.05 for gap in gaps)
        yield [f"{name}, f={fill}", f"{sum(gaps) / SMALL:.4f}", f"{max(gaps):.3f}", str(over)]


def random_units(draw: random.Random, count: int) -> list[Unit]:
    """Of any length and importance, some in chains, with or without a fixed first and last one."""
    first, last = draw.random() < 0.7, draw.random() < 0.7
    places = [FIRST if first and at == 0 else LAST if last and at == count - 1 else FREE for at in range(count)]
    return [
        Unit(f"u{at}", draw.randint(20, 2_000), 3 * draw.random(), draw.choice(("", "", "a", "b")), place)
        for at, place in enumerate(places)
    ]


def is_valid(order: Sequence[Unit], given: Sequence[Unit]) -> bool:
    """Whether what must stay in order does."""
    if [unit.place for unit in order] != sorted(unit.place for unit in order):
        return False
    chains = {(unit.place, unit.chain) for unit in given if unit.chain}
    return all(
        [u for u in order if (u.place, u.chain) == chain] == [u for u in given if (u.place, u.chain) == chain]
        for chain in chains
    )


def _seconds() -> Iterator[list[str]]:
    units = random_units(random.Random(3), LARGE)
    for name in ("fill-aware", "needles-gpt-4"):
        curve, taken = curve_at(0.9, name), []
        for _ in range(5):
            began = time.process_time()
            optimum(units, curve)
            taken.append(time.process_time() - began)
        yield [name, f"{1e3 * min(taken):.0f}"]


if __name__ == "__main__":
    main()
