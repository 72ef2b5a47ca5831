"""The story of a text: which items held it, what each stage did to them, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ctxcore.decision import Decision
from ctxcore.explaining.surviving import pieces, says_half
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
    """`end`: payload (verbatim), partly (some of its words), lost. `message`: index in the payload, if there.
    `inside`: the item that holds it at the end, such as a summary. `pieces`: what of the text that still says."""

    item: str
    events: tuple[Event, ...]
    end: str
    message: int | None
    inside: str = ""
    pieces: tuple[str, ...] = ()

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "item": self.item,
            "events": [event.to_json(lang) for event in self.events],
            "end": self.end,
            "message": self.message,
            "inside": self.inside,
            "pieces": list(self.pieces),
        }


@dataclass(frozen=True, slots=True)
class Story:
    """`lights`: stage → kept (word for word), partly or lost, of the best off of the items that held the text."""

    text: str
    stories: tuple[ItemStory, ...]
    lights: tuple[tuple[str, str], ...] = ()

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
            "stages": [{"stage": stage, "fate": light} for stage, light in self.lights],
            "stories": [one.to_json(lang) for one in self.stories],
        }


def story(trace: Trace, text: str) -> Story:
    """Stories of every item that held `text` when it first appeared; spaces and letter case are forgiven."""
    holders = _holders(trace, text)
    stories = tuple(_follow(trace, key, text) for key in holders)
    return Story(text, stories, _lights(trace, text, holders))


def story_of(trace: Trace, item: str) -> ItemStory:
    """The story of one item, whatever it says."""
    return _follow(trace, item, "")


def lights_of(trace: Trace, text: str) -> tuple[tuple[str, str], ...]:
    """Stage → kept (word for word), partly or lost, of the best off of the items that held the text."""
    return _lights(trace, text, _holders(trace, text))


def fate_of(trace: Trace, text: str) -> str:
    """kept, partly or lost at the end: as `story` says it, for those who ask for nothing else."""
    return lights_of(trace, text)[-1][1]


def holds(text: str, wanted: str) -> bool:
    return wanted in text or (bool(wanted.strip()) and _plain(wanted) in _plain(text))


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def _holders(trace: Trace, text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    seen: set[tuple[str, bool]] = set()  # a picture is looked at again once it is told in words
    for items in (trace.inputs, *(snapshot.items for snapshot in trace.snapshots)):
        for item in items:
            if (key := (item.id, item.is_media)) not in seen:
                seen.add(key)
                if not item.parents and holds(item.text, text):
                    found[item.id] = None
    return tuple(found)


def _lights(trace: Trace, text: str, holders: Iterable[str]) -> tuple[tuple[str, str], ...]:
    ids, lights = set(holders), []
    for snapshot in trace.snapshots:
        for key in sorted(ids & snapshot.became.keys()):
            ids.update(snapshot.became[key])
        lights.append((snapshot.name, _light((item for item in snapshot.items if item.id in ids), text)))
    return tuple(lights)


def _light(items: Iterable[Item], text: str) -> str:
    ends = {_end(item, text) for item in items}
    return "kept" if "payload" in ends else "partly" if "partly" in ends else "lost"


def _follow(trace: Trace, key: str, text: str) -> ItemStory:
    ids = {key}
    events: list[Event] = []
    for snapshot in trace.snapshots:
        met = {id(d): d for item in sorted(ids) for d in snapshot.by_item.get(item, ())}
        for decision in met.values():
            events.append(Event(snapshot.name, decision))
            ids.add(decision.item)
    ended = [item for item in trace.final.items if item.id in ids]
    best = max(ended, key=lambda item: ("lost", "partly", "payload").index(_end(item, text)), default=None)
    end = _end(best, text) if best else "lost"
    places: Mapping[str, int] = {span.item: span.message for span in trace.spans}
    if best is None or end == "lost":
        return ItemStory(key, tuple(events), "lost", None)
    left = pieces(text or _said(trace, key), best.text) if end == "partly" or best.id != key else ()
    return ItemStory(key, tuple(events), end, places.get(best.id), best.id, left)


def _said(trace: Trace, key: str) -> str:
    return next((item.text for item in trace.inputs if item.id == key), "")


def _end(item: Item, text: str) -> str:
    if holds(item.text, text) or not text:
        return "payload"
    return "partly" if says_half(item.text, text) else "lost"
