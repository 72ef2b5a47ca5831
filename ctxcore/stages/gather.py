"""Gather: everything that could go in, judged by nothing yet (article 1, step 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ctxcore.gathering import gathered
from ctxcore.item import Item, Source
from ctxcore.payload import Payload
from ctxcore.pins import with_marks
from ctxcore.services import Services
from ctxcore.serving.remembered import remembered


@dataclass(frozen=True)
class Gather:
    name: ClassVar[str] = "gather"
    recency: str = field(
        default="span",
        metadata={
            "choices": ("span", "count"),
            "about": "span: the newest turn has priority 3; count: as article 1 divides, where 4 turns end at 4",
        },
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        return load(payload, self.name, services, _priorities_by_count if self.recency == "count" else None)


def load(
    payload: Payload,
    stage: str,
    services: Services,
    change: Callable[[tuple[Item, ...], Payload], tuple[Item, ...]] | None = None,
) -> Payload:
    """All the scenario's items that are not there yet, and what is remembered of the user, added; `change` may give
    some of the scenario's other values first."""
    found = gathered(payload.scenario, payload.model, payload.counter)
    items = change(found.items, payload) if change else found.items
    edit = payload.edit(stage)
    there = {item.id for item in payload.items}  # where another stage has gathered before
    new = tuple(item for item in items if item.id not in there)
    edit.add(with_marks(new, payload.pins, payload.priorities), "gathered")
    there |= {item.id for item in new}
    for item in remembered(services, found.query, payload.model, payload.counter):
        if item.id not in there:
            edit.add(with_marks((item,), payload.pins, payload.priorities), "remembered", relevance=item.relevance)
    edit.set(question=found.question, query=found.query)
    return edit.done()


def preloaded(payload: Payload, services: Services) -> Payload:
    """The payload with the scenario's items, and what is remembered of the user, in it from the start, as an agent's
    state is before its first stage."""
    found = gathered(payload.scenario, payload.model, payload.counter)
    there = {item.id for item in found.items}
    more = remembered(services, found.query, payload.model, payload.counter)
    items = with_marks(
        (*found.items, *(item for item in more if item.id not in there)), payload.pins, payload.priorities
    )
    return replace(payload, items=items, question=found.question, query=found.query)


def _priorities_by_count(items: tuple[Item, ...], payload: Payload) -> tuple[Item, ...]:
    """Article 1's own division: position / number of messages, so that the newest of four has 4, not 3."""
    talk = [item.id for item in items if item.source is Source.CONVERSATION]
    rank = {key: int(8 - at / len(talk) * 5) for at, key in enumerate(talk)}
    return tuple(replace(item, priority=rank[item.id]) if item.id in rank else item for item in items)
