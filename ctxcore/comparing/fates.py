"""What became of every item that came in: whole, shorter, part of a summary, or lost; and the decision that did it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ctxcore.decision import Action, Change, Decision
from ctxcore.item import Item
from ctxcore.trace import Trace

ENDS = ("whole", "shorter", "merged", "lost")  # from the best to the worst
_WEIGHT = {Action.ADDED: 0, Action.KEPT: 1}  # of two decisions the stronger tells more; of two equal ones the later


@dataclass(frozen=True, slots=True)
class Fate:
    """`decision` is what tells it, made at `stage`; `tokens`: what of the item is in the payload, 0 of a merged one."""

    end: str  # of ENDS
    stage: str
    decision: Decision
    tokens: int


def fates(trace: Trace) -> Mapping[str, Fate]:
    """By id, in the order of the input."""
    final = {item.id: item for item in trace.final.items}
    told, merged = _told(trace)
    found = {}
    for item in trace.inputs:
        stage, decision = told.get(item.id) or (trace.snapshots[0].name, _untouched(item))
        end = _end(item, final, merged)
        found[item.id] = Fate(end, stage, decision, final[item.id].tokens if item.id in final else 0)
    return found


def _end(item: Item, final: Mapping[str, Item], merged: Mapping[str, str]) -> str:
    now = final.get(item.id)
    if now is not None:
        return "whole" if now.parts is item.parts or now.text == item.text else "shorter"
    into = merged.get(item.id, "")
    while into in merged:
        into = merged[into]
    return "merged" if into in final else "lost"


def _told(trace: Trace) -> tuple[dict[str, tuple[str, Decision]], dict[str, str]]:
    """Item → stage and decision that tell most; item → the summary that took it in."""
    told: dict[str, tuple[str, Decision]] = {}
    weights: dict[str, int] = {}
    merged: dict[str, str] = {}
    for snapshot in trace.snapshots:
        for record in snapshot.payload.records:
            if record.action is Action.MOVED:
                continue
            weight = _WEIGHT.get(record.action, 2)
            if isinstance(record, Change):
                merged |= dict.fromkeys(record.decision.sources, record.decision.item)
            for decision in record:
                for key in decision.sources or (decision.item,):
                    if weight >= weights.get(key, 0):
                        told[key], weights[key] = (snapshot.name, decision), weight
    return told, merged


def _untouched(item: Item) -> Decision:
    return Decision(Action.KEPT, item.id, "untouched", {"tokens": item.tokens}, item.tokens, item.tokens)
