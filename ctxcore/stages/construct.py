"""Construct: the sandwich (article 1, step 5). What matters most stands at both ends of the payload."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.errors import InputError
from ctxcore.fitting import assemble, lose_empty, reorder
from ctxcore.groups import Group
from ctxcore.item import Item, Source
from ctxcore.message import Message, as_sent, join
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services
from ctxcore.stages.written import lose_all_but_first, lose_all_but_text, plain

LEAVING = {"history": 0, "docs": 1, "tools": 2, "recent": 3, "notes": 4, "state": 5}  # a5: history goes first
NOTES = (Source.NOTE, Source.MEMORY, Source.PROFILE)


@dataclass(frozen=True)
class Construct:
    """System, state and notes; documents, older turns, results that answer no call; recent turns and the question."""

    name: ClassVar[str] = "construct"
    state_heading: str = field(default="## 当前任务状态", metadata={"about": "above the task state"})
    notes_heading: str = field(default="## 执行笔记", metadata={"about": "above the notes"})
    docs_heading: str = field(default="## 相关知识", metadata={"about": "above the documents"})
    tools_heading: str = field(default="## 工具结果", metadata={"about": "above results that answer no call"})
    tool_label: str = field(default="[工具: {name}]", metadata={"about": "before each of these results"})
    divider: str = field(default="---", metadata={"about": "between documents"})
    safety_net: bool = field(default=True, metadata={"about": "measure the payload, and drop what is over the room"})
    first_only: bool = field(
        default=False, metadata={"about": "write only the first system text, state and note, as the article does"}
    )
    text_only: bool = field(default=False, metadata={"about": "write role and text alone, as the article does"})
    tool_role: str = field(
        default="user", metadata={"choices": ("user", "assistant"), "about": "who says the results that answer no call"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        self._lose(edit, payload.items)
        items = edit.current()
        places = {item.id: at for at, item in enumerate(items)}

        def leaving(group: Group) -> tuple[int, int, float, int, int]:
            first = group.first
            return (
                LEAVING.get(first.limit, 0),
                -first.priority,
                first.relevance,
                places[first.id],
                0 if first.is_media else 1,
            )

        assemble(
            payload, edit, items, lambda left: self.layout(left, payload.question), leaving if self.safety_net else None
        )
        done = edit.done()
        return reorder(done, [item for message in done.messages for item in message.items], self.name, "sandwich")

    def _lose(self, edit: Editor, items: Sequence[Item]) -> None:
        if self.first_only:
            spoken = any(item.source is Source.SYSTEM for item in items)
            silent = [item for item in items if not spoken and item.source in (Source.STATE, *NOTES)]
            edit.drop(silent, "article-no-system")
            rest = [item for item in items if item not in silent]
            lose_all_but_first(edit, rest, (Source.SYSTEM,), (Source.STATE,), NOTES)
        if self.text_only:
            lose_all_but_text(edit, edit.current())
        else:
            lose_empty(edit)

    def layout(self, items: Sequence[Item], question: str) -> tuple[Message, ...]:
        leading = leading_systems(items)
        state = [item for item in items if item.source is Source.STATE]
        notes = [item for item in items if item.source in NOTES]
        docs = [item for item in items if item.source is Source.DOC]
        results = [item for item in items if item.source is Source.TOOL and not item.group]
        placed = {item.id for part in (leading, state, notes, docs, results) for item in part}
        talk = sorted((item for item in items if item.id not in placed), key=lambda item: (item.turn, item.at))
        asked = next((item.message for item in talk if item.id == question), None)
        last = bool(talk) and (self.text_only or talk[-1].message == asked)
        end = [item for item in talk if last and asked and item.message == asked]
        rest = [item for item in talk if not (last and asked and item.message == asked)]
        write, edge = plain if self.text_only else as_sent, newest_history(rest)
        return (
            *self._head(leading, state, notes),
            *_section("system", self.docs_heading, docs, f"\n\n{self.divider}\n\n"),
            *write([item for item in rest if item.turn <= edge]),
            *self._results(results),
            *write([item for item in rest if item.turn > edge]),
            *write(end),
        )

    def _head(self, leading: Sequence[Item], state: Sequence[Item], notes: Sequence[Item]) -> tuple[Message, ...]:
        if not state and not notes and len({item.message for item in leading}) == 1:
            return plain(leading) if self.text_only else as_sent(leading)
        role = leading[0].role if leading else "system"
        message = join(
            role,
            (
                ("", leading, "\n\n"),
                (f"\n\n{self.state_heading}\n", state, "\n\n"),
                (f"\n\n{self.notes_heading}\n", notes, "\n"),
            ),
        )
        return (message,) if message else ()

    def _results(self, results: Sequence[Item]) -> tuple[Message, ...]:
        if self.tool_role == "assistant":
            said = (_section("assistant", "", [item], "", self._label) for item in results)
            return tuple(message for section in said for message in section)
        return _section("user", self.tools_heading, results, "\n\n", self._label)

    def _label(self, item: Item) -> str:
        if not item.name or not self.tool_label:
            return ""
        try:
            return f"{self.tool_label.format(name=item.name)}\n"
        except (LookupError, ValueError) as cause:
            raise InputError("tool-label", label=self.tool_label) from cause


def _section(
    role: str, heading: str, items: Sequence[Item], between: str, label: Callable[[Item], str] | None = None
) -> tuple[Message, ...]:
    message = join(role, ((f"{heading}\n\n" if heading else "", items, between),), label)
    return (message,) if message else ()


def newest_history(talk: Sequence[Item]) -> int:
    """The last turn of the history, -1 without one: turns keep their order, whatever limit a pin or a result has."""
    older = {item.group or item.message for item in talk if item.limit == "history"}
    return max((item.turn for item in talk if (item.group or item.message) in older), default=-1)


def leading_systems(items: Sequence[Item]) -> list[Item]:
    """System texts before the first turn. Later ones keep their place in the conversation."""
    first = min((item.turn for item in items if item.message and item.source is not Source.SYSTEM), default=None)
    return [item for item in items if item.source is Source.SYSTEM and (first is None or item.turn < first)]
