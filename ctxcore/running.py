"""Run stages and keep what happened: one snapshot a stage, and a decision for every item."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ctxcore.condition import NEVER, holds
from ctxcore.decision import Action, Change, Decision, Problem, Record
from ctxcore.errors import CtxError, LedgerError, StageError, place_of
from ctxcore.item import Item
from ctxcore.payload import Payload
from ctxcore.services import Services
from ctxcore.stage import Stage


@dataclass(frozen=True)
class Snapshot:
    """A stage's result. Items that it left alone are the same objects as in the snapshot before."""

    name: str
    before: Payload
    payload: Payload
    seconds: float
    skipped: str = ""  # the rule by which the stage did not run

    @property
    def items(self) -> tuple[Item, ...]:
        return self.payload.items

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self.payload.problems

    @cached_property
    def tokens_before(self) -> int:
        return self.before.tokens

    @cached_property
    def tokens_after(self) -> int:
        return self.payload.tokens

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """One for each item before or after the stage, a `moved` beside it where it moved; made when first read."""
        return tuple(self._decisions())

    @cached_property
    def by_item(self) -> Mapping[str, Sequence[Decision]]:
        """The decisions by each item that they concern."""
        found: dict[str, list[Decision]] = {}
        for decision in self.decisions:
            for key in {decision.item: None, **dict.fromkeys(decision.sources)}:
                found.setdefault(key, []).append(decision)
        return found

    @cached_property
    def became(self) -> Mapping[str, Sequence[str]]:
        """What became of the items that were compressed into another one."""
        into: dict[str, list[str]] = {}
        for record in self.payload.records:
            if isinstance(record, Change):
                for source in record.decision.sources:
                    into.setdefault(source, []).append(record.decision.item)
        return into

    def _decisions(self) -> Iterator[Decision]:
        named: set[str] = set()
        for record in self.payload.records:
            yield from record
            if record.action is not Action.MOVED:
                named.update(record.ids)
        rule = self.skipped or "untouched"
        for item in self.payload.items:
            if item.id not in named:
                yield Decision(Action.KEPT, item.id, rule, {"tokens": item.tokens}, item.tokens, item.tokens)


def run(
    stages: Sequence[Stage], payload: Payload, services: Services, conditions: Mapping[str, str] | None = None
) -> tuple[Snapshot, ...]:
    """Apply `stages` in order; `conditions` (stage → condition) may skip some. Raises StageError."""
    snaps: list[Snapshot] = []
    services = services.watched()
    for at, stage in enumerate(stages):
        before, began = replace(payload, records=(), problems=()), time.perf_counter()
        skipped = skip_rule(stage, (conditions or {}).get(stage.name, ""), before)
        try:
            after = before if skipped else stage.apply(before, services)
            settle(stage.name, before, after)
        except Exception as cause:  # a stage is anybody's code: what ran before it stays, and the error says where
            place = place_of(stage, cause)
            raise StageError(stage.name, cause, (*snaps, *_broken(stages[at:], before, cause, place)), place) from cause
        if told := services.told():
            after = replace(
                after, problems=(*after.problems, *(Problem(rule, _severity(rule), facts) for rule, facts in told))
            )
        snaps.append(Snapshot(stage.name, before, after, time.perf_counter() - began, skipped))
        payload = after
    return tuple(snaps)


def skip_rule(stage: Stage, when: str, payload: Payload) -> str:
    """The rule by which a stage does not run; "" where it runs."""
    if not getattr(stage, "enabled", True) or when == NEVER:
        return "stage-off"
    return "condition-not-met" if when and not holds(when, payload) else ""


def _broken(stages: Sequence[Stage], payload: Payload, cause: Exception, place: str) -> Iterator[Snapshot]:
    """The stage that raised, as it found things, with what went wrong; and those after it, which did not run."""
    error = cause.told if isinstance(cause, CtxError) else f"{type(cause).__name__}: {cause}"
    facts = {"stage": stages[0].name, "error": error, "place": place}
    failed = replace(payload, problems=(Problem("stage-failed", "error", facts),))
    yield Snapshot(stages[0].name, payload, failed, 0.0, "stage-raised")
    for stage in stages[1:]:
        yield Snapshot(stage.name, payload, payload, 0.0, "not-run")


def _severity(rule: str) -> str:
    """A model that did what it was asked for is news, one that did not is a warning."""
    return "info" if rule in ("model-summary", "model-not-called") else "warning"


def settle(stage: str, before: Payload, after: Payload) -> None:
    """Check that the ledger explains every change, like a compiler's verifier after each pass.

    1. An item that is new, gone or another is named by a decision stronger than kept or moved.
    2. No item has two decisions, but that a `moved` may accompany one; and none stands there twice.
    3. Tokens before − tokens after = what the decisions sum to.
    """
    if after.items is before.items and not after.records:
        return
    if len({item.id for item in after.items}) < len(after.items):
        raise LedgerError("ledger-twice-made", stage=stage)
    strong, mild = _named(stage, after.records)
    old, new = set(before.items), set(after.items)
    left = {item.id: item for item in before.items if item not in new and item.id not in strong}
    came = {item.id: item for item in after.items if item not in old and item.id not in strong}
    for key in left.keys() | came.keys():
        if key not in mild or not _same_words(left.get(key), came.get(key)):
            raise LedgerError("ledger-no-decision", stage=stage, item=key)
    told, seen = sum(record.saved for record in after.records), before.tokens - after.tokens
    if told != seen:
        raise LedgerError("ledger-tokens", stage=stage, seen=seen, told=told)


def _named(stage: str, records: Sequence[Record]) -> tuple[set[str], set[str]]:
    strong: set[str] = set()
    mild: set[str] = set()
    for record in records:
        if record.action is Action.MOVED:
            continue
        ids = set(record.ids)
        if not (ids.isdisjoint(strong) and ids.isdisjoint(mild)):
            raise LedgerError("ledger-decided-twice", stage=stage, item=min(ids & (strong | mild)))
        (mild if record.action is Action.KEPT else strong).update(ids)
    return strong, mild


def _same_words(old: Item | None, new: Item | None) -> bool:
    """Whether only notes on the item changed (its limit, its target), not what it says."""
    return old is not None and new is not None and old.parts is new.parts and old.tokens == new.tokens
