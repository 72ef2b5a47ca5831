"""Groups: the unit of removal. A call and its results stay or go together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ctxcore.item import Item, Source
from ctxcore.payload import Payload


@dataclass(frozen=True, eq=False)
class Group:
    """The unit of removal: a call with all its results, or one item. Media are units of their own after their text.

    What follows from the items is worked out once: `groups_of` remembers its groups for the next budget.
    """

    items: tuple[Item, ...]

    @cached_property
    def tokens(self) -> int:
        return sum([item.tokens for item in self.items])

    @cached_property
    def cost(self) -> int:
        """Tokens with the framing of its messages: what the room pays."""
        return sum([item.tokens + (0 if is_attached(item) else item.frame) for item in self.items])

    @cached_property
    def longest(self) -> int:
        """Tokens of its longest item."""
        return max([item.tokens for item in self.items])

    @cached_property
    def by_source(self) -> tuple[tuple[Source, int], ...]:
        """Tokens of each source in it."""
        found: dict[Source, int] = {}
        for item in self.items:
            found[item.source] = found.get(item.source, 0) + item.tokens
        return tuple(found.items())

    @cached_property
    def first(self) -> Item:
        return self.items[0]

    @property
    def turn(self) -> int:
        return self.items[0].turn

    @cached_property
    def age(self) -> tuple[int, int]:
        """Sorts the newest turn first, and what a message says before its media."""
        return -self.turn, self.first.at

    @cached_property
    def is_media(self) -> bool:
        """A picture, sound or file, as it is or told in words."""
        return self.first.is_media or is_attached(self.first)

    @cached_property
    def has_pictures(self) -> bool:
        """Whether its messages may hold media beside these words."""
        return not self.is_media and any(item.siblings > 1 for item in self.items)

    @cached_property
    def pinned(self) -> bool:
        return any(item.pinned for item in self.items)

    @cached_property
    def stays(self) -> bool:
        """Pinned, or a system text, or together with one."""
        return self.pinned or any(item.source is Source.SYSTEM for item in self.items)

    @cached_property
    def messages(self) -> frozenset[str]:
        return frozenset([item.message for item in self.items if item.message])

    @cached_property
    def told(self) -> tuple[tuple[str, str], ...]:
        return told(self.items)


def is_attached(item: Item) -> bool:
    """A picture, sound or file, or what tells it, beside the words of its message, which pay the framing."""
    return item.at >= 0 and item.siblings > 1


def told(items: Iterable[Item]) -> tuple[tuple[str, str], ...]:
    """Role and text of what is in words, or can be."""
    return tuple((item.role, item.said or item.text) for item in items if item.said or not item.is_media)


@lru_cache(maxsize=16)
def groups_of(items: tuple[Item, ...]) -> tuple[Group, ...]:
    """Items by group, in the order of their first item. Remembered: a new budget has the same groups."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.group or item.id, []).append(item)
    return tuple(Group(tuple(members)) for members in found.values())


@lru_cache(maxsize=16)
def singles(items: tuple[Item, ...]) -> tuple[Group, ...]:
    """Each item for itself, as a system without groups treats them."""
    return tuple(Group((item,)) for item in items)


def is_fixed(group: Group, question: str) -> bool:
    """What no stage may drop: system texts, the question with its pictures, pins, and what shares a group with them."""
    return group.stays or question.partition("/")[0] in group.messages


def fixed_items(payload: Payload) -> list[Item]:
    """The items of all fixed groups, in the order of the payload."""
    asked = payload.question.partition("/")[0]
    fixed = {
        item.group or item.id
        for item in payload.items
        if item.pinned or item.source is Source.SYSTEM or (asked and item.message == asked)
    }
    return [item for item in payload.items if (item.group or item.id) in fixed]
