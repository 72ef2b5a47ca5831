"""Orders to compare with: those of the articles, those that others recommend, and the best that is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ctxcore.item import Source
from ctxcore.placing.arranging import TALK, Arrangement, in_chains
from ctxcore.placing.unit import FREE, Unit

Order = tuple[Unit, ...]
NOTES = (Source.NOTE, Source.MEMORY, Source.PROFILE)
ASSEMBLERS: Mapping[str, Sequence[Sequence[Source]]] = {  # which sources stand where; () is the conversation
    "gssc": ((Source.STATE,), NOTES, (Source.DOC,), (), (Source.TOOL,)),
    "compiler": ((Source.DOC,), (Source.STATE,), NOTES, (), (Source.TOOL,)),
    "layered": ((Source.PROFILE,), (Source.DOC, Source.MEMORY), (Source.NOTE,), (), (Source.TOOL,), (Source.STATE,)),
    "documents-first": (
        (Source.DOC,),
        (Source.TOOL,),
        (),
        (Source.NOTE, Source.MEMORY, Source.PROFILE),
        (Source.STATE,),
    ),
}


def long_context_reorder(count: int) -> list[int]:
    """Ranks (0 = best) in the order in which LangChain's LongContextReorder and LlamaIndex' put `count` documents:
    the best one comes first for an odd count, and last for an even one."""
    order: list[int] = []
    for at, rank in enumerate(reversed(range(count))):
        order.insert(0 if at % 2 == 0 else len(order), rank)
    return order


def zigzag(count: int) -> list[int]:
    """Ranks dealt out to both ends in turn, the best one first."""
    return [*range(0, count, 2), *reversed(range(1, count, 2))]


RANKED: Mapping[str, Callable[[int], list[int]]] = {
    "best-first": lambda count: list(range(count)),
    "best-last": lambda count: list(reversed(range(count))),
    "long-context-reorder": long_context_reorder,
}


def policies(now: Arrangement) -> Mapping[str, Order]:
    """Name → order of the same units. All keep what must stay in order."""
    assembled = {name: _assembled(now, rows) for name, rows in ASSEMBLERS.items()}
    return {**assembled, **{name: _ranked(now.units, ranks) for name, ranks in RANKED.items()}}


def _assembled(now: Arrangement, rows: Sequence[Sequence[Source]]) -> Order:
    rank = {source: at for at, row in enumerate(rows) for source in row}
    talk = next(at for at, row in enumerate(rows) if not row)

    def place(unit: Unit) -> tuple[int, int]:
        items = now.pieces[unit.key].items
        return unit.place, talk if unit.chain == TALK or not items else rank.get(items[0].source, talk)

    return in_chains(now.units, sorted(now.units, key=place))


def _ranked(units: Sequence[Unit], ranks: Callable[[int], list[int]]) -> Order:
    """What is free, by importance, on the places that are free."""
    free = sorted((unit for unit in units if unit.place == FREE), key=lambda unit: -unit.weight)
    dealt = iter([free[rank] for rank in ranks(len(free))])
    return in_chains(units, [next(dealt) if unit.place == FREE else unit for unit in units])
