"""The story of a text: which items held it, what each stage did to them, and how it ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.decision import Decision
from ctxcore.item import Item
from ctxcore.trace import Trace
from ctxcore.words import sentence


@dataclass(frozen=True, slots=True)
class Event:
    stage: str
    decision: Decision

    def to_json(self, lang: str) -> dict[str, Any]:
        d = self.decision
        return {
            "stage": self.stage,
            "action": str(d.action),
            "rule": d.rule,
            "reason": sentence(d.rule, d.facts, lang),
            "before": d.before,
            "after": d.after,
        }


@dataclass(frozen=True, slots=True)
class ItemStory:
    """`end`: payload (verbatim), partly (some of its words), lost. `message`: index in the payload, if there."""

    item: str
    events: tuple[Event, ...]
    end: str
    message: int | None


@dataclass(frozen=True, slots=True)
class Story:
    text: str
    stories: tuple[ItemStory, ...]

    @property
    def found(self) -> bool:
        return bool(self.stories)

    @property
    def fate(self) -> str:
        ends = {story.end for story in self.stories}
        return "kept" if "payload" in ends else "partly" if "partly" in ends else "lost"

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        return {
            "text": self.text,
            "found": self.found,
            "fate": self.fate,
            "stories": [
                {
                    "item": s.item,
                    "events": [event.to_json(lang) for event in s.events],
                    "end": s.end,
                    "message": s.message,
                }
                for s in self.stories
            ],
        }


def story(trace: Trace, text: str) -> Story:
    """Stories of every item that held `text` when it first appeared; spaces and letter case are forgiven."""
    holders: dict[str, None] = {}
    for items in (trace.inputs, *(snapshot.items for snapshot in trace.snapshots)):
        for item in items:
            if item.id not in holders and not item.parents and holds(item.text, text):
                holders[item.id] = None
    index = _decisions_by_item(trace)
    return Story(text, tuple(_follow(trace, key, text, index) for key in holders))


def story_of(trace: Trace, item: str) -> ItemStory:
    """The story of one item, whatever it says."""
    return _follow(trace, item, "", _decisions_by_item(trace))


def holds(text: str, wanted: str) -> bool:
    return wanted in text or (bool(wanted.strip()) and _plain(wanted) in _plain(text))


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


_Index = list[tuple[str, dict[str, list[Decision]]]]


def _decisions_by_item(trace: Trace) -> _Index:
    index: _Index = []
    for snapshot in trace.snapshots:
        found: dict[str, list[Decision]] = {}
        for decision in snapshot.decisions:
            for key in {decision.item: None, **dict.fromkeys(decision.sources)}:
                found.setdefault(key, []).append(decision)
        index.append((snapshot.name, found))
    return index


def _follow(trace: Trace, key: str, text: str, index: _Index) -> ItemStory:
    ids = {key}
    events: list[Event] = []
    for stage, found in index:
        met = {id(d): d for item in sorted(ids) for d in found.get(item, ())}
        for decision in met.values():
            events.append(Event(stage, decision))
            ids.add(decision.item)
    ended = [item for item in trace.final.items if item.id in ids]
    end = max((_end(item, text) for item in ended), key=("lost", "partly", "payload").index, default="lost")
    places: Mapping[str, int] = {span.item: span.message for span in trace.spans}
    at = next((places[item.id] for item in ended if item.id in places), None)
    return ItemStory(key, tuple(events), end, at if end != "lost" else None)


def _end(item: Item, text: str) -> str:
    if holds(item.text, text) or not text:
        return "payload"
    words = set(_words(text))
    left = words & set(_words(item.text))
    return "partly" if 2 * len(left) >= len(words) > 1 else "lost"


def _words(text: str) -> Iterator[str]:
    """Words of two letters and more, numbers, single Chinese characters: enough to see what of a text survives."""
    return (match.group().lower() for match in re.finditer(r"[A-Za-z_]{2,}|\d[\d.,%]*|[\u4e00-\u9fff]", text))
