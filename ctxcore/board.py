"""The task board: goal, done, todo, current as a structure, written anew for each build (article 3, c2)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ctxcore.item import Call, Item, Source

FIELDS = ("goal", "current", "todo", "done")
LAST = 5  # entries of what is done that every board shows


@dataclass(frozen=True, slots=True)
class Board:
    """`done` holds finished sub-tasks and the fingerprints of answered calls, oldest first."""

    goal: str = ""
    current: str = ""
    todo: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()  # ids of the items it was written from

    @property
    def is_empty(self) -> bool:
        return not (self.goal or self.current or self.todo or self.done)

    def text(self, heading: str) -> str:
        rows = [
            ("goal", self.goal),
            ("current", self.current),
            ("todo", "; ".join(self.todo)),
            ("done", "; ".join(self.done)),
        ]
        return "\n".join((heading, *(f"{name}: {value}" for name, value in rows if value)))

    def within(self, tokens: int, count: Callable[[str], int]) -> Board:
        """The same with as many of the newest entries of `done` as `tokens` hold, the last few in any case; how many
        came before is told in the first."""
        left, shown = tokens - count(replace(self, done=()).text("")), 0
        for entry in reversed(self.done):
            left -= count(entry) + 2  # "; "
            if left < 0 and shown >= LAST:
                break
            shown += 1
        earlier = len(self.done) - shown
        return replace(self, done=(f"(+{earlier:,})", *self.done[earlier:])) if earlier else self

    def terse(self, heading: str, longest: int) -> str:
        """Its tersest form: goal and step cut to `longest` characters, only the last few of what is done."""
        body = {
            "goal": _cut(self.goal, longest),
            "current": _cut(self.current, longest),
            "todo": [_cut(x, longest) for x in self.todo],
            "done": [_cut(x, longest) for x in self.done[-LAST:]],
        }
        return (
            f"{heading} {json.dumps({k: v for k, v in body.items() if v}, ensure_ascii=False, separators=(',', ':'))}"
        )


def board_of(items: Sequence[Item], longest: int) -> Board:
    """The board from structure alone: the first and the last user text, the answered calls; a state that the scenario
    gives as an object with these fields comes before what is read off. Texts are cut to `longest` characters."""
    asked = [
        item
        for item in items
        if item.role == "user" and not item.is_media and item.message and item.source is not Source.TOOL
    ]
    current = next((item for item in asked if item.source is Source.USER), asked[-1] if asked else None)
    answered = {item.result.call_id for item in items if item.result and item.group}
    calls = [(item, call) for item in items for call in item.calls if call.id in answered or item.group]
    state = next((item for item in items if item.source is Source.STATE), None)
    given = _given(state.text if state else "")
    told = (*asked[:1], *([current] if current else ()), *(item for item, _ in calls), *([state] if state else ()))
    return Board(
        goal=str(given.get("goal") or (_cut(asked[0].text, longest) if asked else "")),
        current=str(given.get("current") or (_cut(current.text, longest) if current else "")),
        todo=_lines(given.get("todo")),
        done=tuple(dict.fromkeys((*_lines(given.get("done")), *(fingerprint(call, longest) for _, call in calls)))),
        parents=tuple(dict.fromkeys(item.id for item in told)),
    )


def is_board(item: Item) -> bool:
    """Whether a state says nothing that the board does not say: an object of its fields alone."""
    given = _given(item.text) if item.source is Source.STATE else {}
    return bool(given) and set(given) <= set(FIELDS)


def fingerprint(call: Call, longest: int = 80) -> str:
    """`tool:argument`, short and the same for the same call, however its JSON is spaced or ordered."""
    return _fingerprint(call.name, call.arguments, longest)


@lru_cache(maxsize=10_000)  # each build asks for every call of a conversation, and more than once
def _fingerprint(name: str, typed: str, longest: int) -> str:
    try:
        arguments = json.loads(typed)
    except ValueError:
        return _cut(f"{name}:{typed}", longest)
    if isinstance(arguments, Mapping) and len(arguments) == 1:
        arguments = next(iter(arguments.values()))
    shown = (
        arguments
        if isinstance(arguments, str)
        else json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    )
    return _cut(f"{name}:{' '.join(shown.split())}", longest)


def _given(text: str) -> Mapping[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, Mapping) else {}


def _lines(value: Any) -> tuple[str, ...]:
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return tuple(str(one) for one in value)
    return (str(value),) if value else ()


def _cut(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
