"""Repair: calls and results that do not belong together, displaced and empty messages are mended, by decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from ctxcore.counting.framing import frame
from ctxcore.item import Call, Item, Part, Text
from ctxcore.linting.policies import PROVIDERS
from ctxcore.linting.repairing import Repaired, repairs
from ctxcore.message import as_sent, render
from ctxcore.payload import Editor, Payload
from ctxcore.reading import read_calls, read_content
from ctxcore.services import Services

FIRST = ("gather", "static-content-loader")  # these bring the items in


def with_repair(stages: Sequence[str]) -> tuple[str, ...]:
    """The order of a system's stages, with this one in front of all that choose."""
    at = 1 if stages and stages[0] in FIRST else 0
    return (*stages[:at], Repair.name, *stages[at:])


@dataclass(frozen=True)
class Repair:
    """Works on what came in as messages; documents, notes and what a stage wrote are no business of it."""

    name: ClassVar[str] = "repair"
    provider: str = field(default="openai", metadata={"choices": PROVIDERS, "about": "whose rules it satisfies"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        talk = [item for item in payload.items if item.wire is not None]
        messages = as_sent(talk)
        done = repairs([render(message) for message in messages], self.provider)
        now: dict[int, tuple[Item, ...]] = {}
        for one in done:
            turn = None if one.behind is None else messages[one.behind].items[0].turn
            now[one.at] = _mend(edit, messages[one.at].items, one, turn)
        _reorder(edit, talk, [item for one in done for item in now[one.at]])
        return edit.done()


def _mend(edit: Editor, items: tuple[Item, ...], one: Repaired, turn: int | None) -> tuple[Item, ...]:
    """The message's items as they are now; `turn` is that of the call behind which it moves."""
    if not one.rule:
        return items
    worded = next((item for item in items if not item.is_media), None)
    if one.message is None:
        edit.drop(items, one.rule, **one.facts)
        return ()
    if worded is None:
        edit.drop(items, "repair-part", role=items[0].role)
        return ()
    texts, media = read_content(one.message.get("content"))
    left = {at for at, _ in media}
    if gone := [item for item in items if item.is_media and item.at not in left]:
        edit.drop(gone, "repair-part", role=worded.role)
    worded_now = worded if turn is None else replace(worded, turn=turn)
    parts = _parts(worded, one.message, texts)
    new = _as(edit.payload, worded_now, one.message, parts, siblings=len(media) + 1)
    return (edit.mend(worded, new, one.rule, **one.facts), *(i for i in items if i.is_media and i.at in left))


def _parts(item: Item, message: Mapping[str, Any], texts: list[str]) -> tuple[Part, ...]:
    if item.result:
        return (replace(item.result, content="\n".join(texts)),)
    return (*(Text(text) for text in texts), *read_calls(message))


def _as(payload: Payload, item: Item, message: Mapping[str, Any], parts: tuple[Part, ...], siblings: int) -> Item:
    count = payload.counter.count
    calls = [part for part in parts if isinstance(part, Call)]
    said = sum(count(part.text) for part in parts if isinstance(part, Text))
    tokens = said + sum(count(call.name) + count(call.arguments) for call in calls)
    if item.result:
        tokens = count("\n".join(part.content for part in parts if not isinstance(part, Text | Call)))  # type: ignore[union-attr]
    role = str(message["role"])
    named = count(str(message.get("name") or "")) if message.get("name") else 0
    framing = item.frame if item.result else frame(payload.model, role, named, len(calls))
    group = item.group if calls or not item.calls else None
    return replace(
        item, role=role, parts=parts, tokens=tokens, wire=message, siblings=siblings, frame=framing, group=group
    )


def _reorder(edit: Editor, talk: list[Item], wanted: list[Item]) -> None:
    """Results go behind their calls; what is no message stays where it is."""
    places = {item.id for item in talk}
    left = iter(wanted)
    current = [item for item in edit.current() if item.id in places]
    if [item.id for item in current] != [item.id for item in wanted]:
        order = [next(left) if item.id in places else item for item in edit.current()]
        edit.move(order, "repair-order")
