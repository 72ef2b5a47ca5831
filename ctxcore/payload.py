"""The immutable context under construction, and the seven verbs that are the only way to change it.

A stage opens an editor, calls verbs on it, and gets one new payload. Each verb demands a rule, so that a stage cannot
change the context without saying why; and a stage is linear in the items, because the items are copied once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ctxcore.budget import Budget
from ctxcore.counting.models import Model
from ctxcore.decision import Action, Change, Decision, Problem, Record, Run
from ctxcore.item import Item, Part, Source, Text
from ctxcore.message import Message
from ctxcore.ordering import longest_rising
from ctxcore.scenario import Scenario
from ctxcore.services import Counter


@dataclass(frozen=True, slots=True, eq=False)
class Payload:
    scenario: Scenario = field(repr=False)  # the raw inputs; no stage changes them
    model: Model
    counter: Counter = field(repr=False)
    budget: Budget
    pins: tuple[str, ...] = ()  # texts or ids: items that hold them never leave
    priorities: tuple[tuple[str, int], ...] = ()  # text or id → priority that the user gave
    items: tuple[Item, ...] = ()
    question: str = ""  # id of the current question's item; "" where there is none
    query: str = ""  # its text: what retrieval and compression aim at
    messages: tuple[Message, ...] = ()  # empty until an assembling stage has run
    tools: tuple[Mapping[str, Any], ...] = ()  # the definitions that are sent
    records: tuple[Record, ...] = field(default=(), repr=False)  # what the running stage did
    problems: tuple[Problem, ...] = ()  # what the running stage has to report
    floor: int = 0  # tokens of what may never be dropped, measured as the provider counts; set when assembled

    @property
    def tokens(self) -> int:
        return sum([item.tokens for item in self.items])

    def edit(self, stage: str) -> Editor:
        return Editor(self, stage)


class Editor:
    """Collects verbs; `done()` yields the new payload. Verbs take one item or many.

    A fact is one value for all items of the call, or a list with one for each.
    """

    def __init__(self, payload: Payload, stage: str) -> None:
        self.payload, self.stage = payload, stage
        self._now: dict[str, Item | None] = {}  # items replaced or gone
        self._added: list[Item] = []
        self._order: tuple[Item, ...] | None = None
        self._runs: dict[tuple[Action, str, tuple[str, ...]], tuple[list[Item], dict[str, list[Any]]]] = {}
        self._changes: dict[str, Change] = {}
        self._original: dict[str, Item] = {}  # items that this edit changed, as they were before
        self._problems: list[Problem] = []
        self._state: dict[str, Any] = {}

    def add(self, items: Item | Iterable[Item], rule: str, **facts: Any) -> None:
        self._added.extend(self._run(Action.ADDED, items, rule, facts))

    def keep(self, items: Item | Iterable[Item], rule: str, **facts: Any) -> None:
        self._run(Action.KEPT, items, rule, facts)

    def note(self, item: Item, rule: str, *, limit: str = "", target: int | None = None, **facts: Any) -> None:
        """Keep an item, and write on it which limit it counts to, or to how many tokens it shall be compressed."""
        if limit != item.limit or target != item.target:
            self._now[item.id] = replace(item, limit=limit, target=target)
        self._run(Action.KEPT, item, rule, {**facts, "limit": limit})

    def drop(self, items: Item | Iterable[Item], rule: str, **facts: Any) -> None:
        """Also of an item that this edit changed before: it is gone as it was, and that is all there is to say."""
        given = (items,) if isinstance(items, Item) else items
        gone = [self._original.get(item.id, item) for item in given] if self._original else given
        ids = [item.id for item in self._run(Action.DROPPED, gone, rule, facts)]
        self._now.update(dict.fromkeys(ids))
        for key in self._changes.keys() & ids if self._changes else ():
            del self._changes[key]

    def truncate(self, item: Item, text: str, rule: str, **facts: Any) -> Item:
        return self._retext(Action.TRUNCATED, item, text, rule, facts)

    def rewrite(self, item: Item, text: str, rule: str, **facts: Any) -> Item:
        return self._retext(Action.REWRITTEN, item, text, rule, facts)

    def reshape(self, item: Item, parts: tuple[Part, ...], tokens: int, rule: str, **facts: Any) -> Item:
        """Rewrite an item by its parts: a call that loses its arguments, a message that loses its calls."""
        return self._replace(
            Action.REWRITTEN, replace(item, parts=parts, tokens=tokens, intact=False), item, rule, facts
        )

    def mend(self, item: Item, new: Item, rule: str, **facts: Any) -> Item:
        """Rewrite an item as a message that was made acceptable."""
        return self._replace(Action.REWRITTEN, new, item, rule, facts)

    def compress(self, item: Item, text: str, rule: str, **facts: Any) -> Item:
        return self._retext(Action.COMPRESSED, item, text, rule, facts)

    def merge(self, items: Sequence[Item], text: str, rule: str, *, role: str, frame: int, **facts: Any) -> Item:
        """Compress several items into one, which stands where the first of them stood."""
        items = [self._original.get(item.id, item) for item in items]
        parents = tuple(item.id for item in items)
        mark = hashlib.sha256("\n".join((self.stage, *parents)).encode()).hexdigest()[:8]
        tokens, before = self.payload.counter.count(text), sum(item.tokens for item in items)
        new = Item(
            f"summary-{mark}",
            Source.SUMMARY,
            role,
            (Text(text),),
            tokens,
            turn=items[0].turn,
            parents=parents,
            frame=frame,
        )
        decision = Decision(
            Action.COMPRESSED,
            new.id,
            rule,
            {"tokens": before, "left": tokens, "items": len(items), **facts},
            before,
            tokens,
            parents,
        )
        self._now.update(dict.fromkeys(parents))
        for key in self._changes.keys() & parents if self._changes else ():
            del self._changes[key]
        self._now[parents[0]] = new
        self._changes[new.id] = Change(decision)
        return new

    def move(self, order: Sequence[Item], rule: str, **facts: Any) -> None:
        """Reorder what is left. `moved` is recorded for the fewest items that explain the new order."""
        if tuple(order) == self.current():
            return
        self._order = tuple(order)
        rank = {item.id: at for at, item in enumerate(self.current())}
        still = longest_rising([rank[item.id] for item in order])
        moved = tuple(item for item in order if rank[item.id] not in still)
        if moved:
            self._run(Action.MOVED, moved, rule, facts)

    def report(self, rule: str, severity: str, items: Iterable[str] = (), **facts: Any) -> None:
        self._problems.append(Problem(rule, severity, facts, tuple(items)))

    def set(self, **state: Any) -> None:
        """Fields of the payload that are no items: the question, the messages, the tools that are sent."""
        self._state.update(state)

    def current(self) -> tuple[Item, ...]:
        """The items as the verbs so far leave them."""
        if not self._now and not self._added:
            return self.payload.items
        left = [self._now.get(item.id, item) for item in self.payload.items] if self._now else self.payload.items
        return (*[item for item in left if item is not None], *self._added)

    def done(self) -> Payload:
        items = self._order if self._order is not None else self.current()
        runs = (Run(action, rule, tuple(run), facts) for (action, rule, _), (run, facts) in self._runs.items())
        records: tuple[Record, ...] = (*self.payload.records, *runs, *self._changes.values())
        problems = (*self.payload.problems, *self._problems)
        if items is not self.payload.items:  # messages written before this change do not say it
            self._state.setdefault("messages", ())
        return replace(self.payload, items=items, records=records, problems=problems, **self._state)

    def _run(self, action: Action, items: Item | Iterable[Item], rule: str, facts: Mapping[str, Any]) -> Sequence[Item]:
        """Note the action; calls with the same action, rule and fact names share one record."""
        new = (items,) if isinstance(items, Item) else tuple(items)
        if not new:
            return new
        key = (action, rule, tuple(facts))
        found = self._runs.get(key)
        if found is None:
            found = self._runs[key] = ([], {name: [] for name in facts})
        run, columns = found
        run += new
        for name, value in facts.items():
            columns[name] += value if isinstance(value, list) else (value,) * len(new)
        return new

    def _retext(self, action: Action, item: Item, text: str, rule: str, facts: Mapping[str, Any]) -> Item:
        """Another text for an item. Its calls stay; a result stays the answer to its call."""
        part: Part = replace(item.result, content=text) if item.result else Text(text)
        count = self.payload.counter.count
        kept = sum(count(call.name) + count(call.arguments) for call in item.calls)
        new = replace(item, parts=(part, *item.calls), tokens=count(text) + kept, target=None, intact=False)
        return self._replace(action, new, item, rule, facts)

    def _replace(self, action: Action, new: Item, old: Item, rule: str, facts: Mapping[str, Any]) -> Item:
        self._now[old.id], old = new, self._original.setdefault(old.id, old)
        told = {"tokens": old.tokens, "left": new.tokens, **facts}
        sources = (old.id,) if action is Action.COMPRESSED else ()
        self._changes[old.id] = Change(Decision(action, old.id, rule, told, old.tokens, new.tokens, sources))
        return new
