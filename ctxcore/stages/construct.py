"""Construct: the sandwich (article 1, step 5). What matters most stands at both ends of the payload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.fitting import Group, assemble, reorder
from ctxcore.item import Item, Source
from ctxcore.message import Message, as_sent, join
from ctxcore.payload import Payload
from ctxcore.services import Services

LEAVING = {"history": 0, "docs": 1, "tools": 2, "recent": 3, "notes": 4, "state": 5}  # a5: history goes first


@dataclass(frozen=True)
class Construct:
    """System, state and notes; documents, older turns, results that answer no call; recent turns and the question."""

    name: ClassVar[str] = "construct"
    state_heading: str = field(default="## 当前任务状态", metadata={"about": "above the task state"})
    notes_heading: str = field(default="## 执行笔记", metadata={"about": "above the notes"})
    docs_heading: str = field(default="## 相关知识", metadata={"about": "above the documents"})
    tools_heading: str = field(default="## 工具结果", metadata={"about": "above results that answer no call"})
    divider: str = field(default="---", metadata={"about": "between documents"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        places = {item.id: at for at, item in enumerate(payload.items)}

        def layout(items: Sequence[Item]) -> tuple[Message, ...]:
            return self.layout(items, payload.question)

        def leaving(group: Group) -> tuple[int, int, float, int, int]:
            first = group.first
            return (LEAVING.get(first.limit, 0), -first.priority, first.relevance, places[first.id], 0 if first.is_media else 1)

        assemble(payload, edit, payload.items, layout, leaving)
        done = edit.done()
        order = tuple(item for message in done.messages for item in message.items)
        return reorder(done, order, self.name, "sandwich")

    def layout(self, items: Sequence[Item], question: str) -> tuple[Message, ...]:
        leading = leading_systems(items)
        state, notes, docs = (_of(items, *s) for s in ((Source.STATE,), (Source.NOTE, Source.MEMORY, Source.PROFILE), (Source.DOC,)))
        results = [item for item in items if item.source is Source.TOOL and not item.group]
        placed = {item.id for part in (leading, state, notes, docs, results) for item in part}
        talk = sorted((item for item in items if item.id not in placed), key=lambda item: (item.turn, item.at))
        asked = next((item.message for item in talk if item.id == question), None)
        last = bool(talk) and talk[-1].message == asked
        end = [item for item in talk if item.message == asked] if last and asked else []
        rest = [item for item in talk if item not in end]
        older = [item for item in rest if item.limit == "history"]
        recent = [item for item in rest if item.limit != "history"]
        return (
            *self._head(leading, state, notes),
            *self._section("system", self.docs_heading, docs, f"\n\n{self.divider}\n\n"),
            *as_sent(older),
            *self._section("user", self.tools_heading, results, "\n\n", tool_label),
            *as_sent(recent),
            *as_sent(end),
        )

    def _head(self, leading: Sequence[Item], state: Sequence[Item], notes: Sequence[Item]) -> tuple[Message, ...]:
        if not state and not notes and len(leading) == 1:
            return as_sent(leading)
        role = leading[0].role if leading else "system"
        message = join(role, (
            ("", leading, "\n\n"), (f"\n\n{self.state_heading}\n", state, "\n\n"), (f"\n\n{self.notes_heading}\n", notes, "\n")))
        return (message,) if message else ()

    def _section(self, role: str, heading: str, items: Sequence[Item], between: str,
                 label: Callable[[Item], str] | None = None) -> tuple[Message, ...]:
        message = join(role, ((f"{heading}\n\n" if heading else "", items, between),), label)
        return (message,) if message else ()


def tool_label(item: Item) -> str:
    return f"[{item.name}]\n" if item.name else ""


def leading_systems(items: Sequence[Item]) -> list[Item]:
    """System texts before the first turn. Later ones keep their place in the conversation."""
    first = min((item.turn for item in items if item.message and item.source is not Source.SYSTEM), default=None)
    return [item for item in items if item.source is Source.SYSTEM and (first is None or item.turn < first)]


def _of(items: Sequence[Item], *sources: Source) -> list[Item]:
    return [item for item in items if item.source in sources]
