"""Article 3's three layers, its rounds, and what they weigh."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ctxcore.groups import Group, groups_of, is_attached
from ctxcore.item import Item, Source
from ctxcore.payload import Payload

PERSISTENT, RECALL, WORKING = "persistent", "recall", "working"
BOARD = "board"  # id of the board's item


def layer_of(item: Item) -> str:
    """Leading system texts and the profile stay; documents and memory are recalled; everything else is at work."""
    if item.source in (Source.PROFILE, Source.SYSTEM):
        return PERSISTENT
    return RECALL if item.source in (Source.DOC, Source.MEMORY) else WORKING


def of_layer(items: Iterable[Item], layer: str) -> list[Item]:
    return [item for item in items if layer_of(item) == layer]


def weight(items: Iterable[Item]) -> int:
    return sum(item.tokens for item in items)


def rounds_of(items: Sequence[Item]) -> list[list[Group]]:
    """The conversation cut into rounds: a user message opens one, and so does a call with all its results.

    Answers without a call belong to the round that they close; media to the message they came with.
    """
    talk = [g for g in groups_of(tuple(items)) if g.first.message or g.first.source is Source.SUMMARY]
    rounds: list[list[Group]] = []
    for group in (g for g in talk if g.first.source is not Source.SYSTEM):
        opens = bool(group.first.calls) or (group.first.role == "user" and not is_attached(group.first))
        if opens or not rounds:
            rounds.append([])
        rounds[-1].append(group)
    return rounds


def room_left(payload: Payload) -> int:
    """Tokens of the room that items, framing and fixed costs leave; below zero where they are over."""
    spent = sum(group.cost for group in groups_of(payload.items))
    return payload.budget.room - payload.budget.fixed - spent
