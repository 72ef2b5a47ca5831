"""What a stage did, and why: a decision an item, kept as one record for each run of items that met the same rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ctxcore.item import Item

Facts = Mapping[str, Any]  # JSON scalars: the numbers and names that the rule's sentence needs


class Action(StrEnum):
    ADDED = "added"
    KEPT = "kept"
    MOVED = "moved"
    TRUNCATED = "truncated"
    COMPRESSED = "compressed"
    REWRITTEN = "rewritten"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Decision:
    """`before` and `after` are tokens of the item, or of all `sources` where several became one."""

    action: Action
    item: str
    rule: str
    facts: Facts
    before: int
    after: int
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """The same action by the same rule on many items: 10,000 kept items cost one record, not 10,000.

    `columns` holds the facts, each a column in the order of `items`.
    """

    action: Action
    rule: str
    items: tuple[Item, ...]
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Decision]:
        for at, item in enumerate(self.items):
            facts = {"tokens": item.tokens, **{name: column[at] for name, column in self.columns.items()}}
            before = 0 if self.action is Action.ADDED else item.tokens
            after = 0 if self.action is Action.DROPPED else item.tokens
            yield Decision(self.action, item.id, self.rule, facts, before, after)

    @property
    def ids(self) -> Iterator[str]:
        return (item.id for item in self.items)

    @property
    def saved(self) -> int:
        """Tokens before minus tokens after, of the whole run."""
        if self.action is Action.DROPPED:
            return sum(item.tokens for item in self.items)
        return -sum(item.tokens for item in self.items) if self.action is Action.ADDED else 0


@dataclass(frozen=True, slots=True)
class Change:
    """One item, cut, compressed or rewritten; or several, compressed into one."""

    decision: Decision

    def __iter__(self) -> Iterator[Decision]:
        yield self.decision

    @property
    def ids(self) -> Iterator[str]:
        return iter({self.decision.item: None, **dict.fromkeys(self.decision.sources)})

    @property
    def action(self) -> Action:
        return self.decision.action

    @property
    def saved(self) -> int:
        return self.decision.before - self.decision.after


Record = Run | Change


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the reader must know about a stage: it is never silent."""

    rule: str
    severity: str  # error | warning | info
    facts: Facts
    items: tuple[str, ...] = ()
