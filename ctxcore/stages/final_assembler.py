"""FinalAssembler: the payload in the provider's shape, and the safety net (article 2, §3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ctxcore.fitting import assemble, lose_empty, reorder
from ctxcore.groups import Group
from ctxcore.item import Item, Source
from ctxcore.message import Message, as_sent, join
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services
from ctxcore.stages.ceilings import hold_ceilings
from ctxcore.stages.construct import leading_systems
from ctxcore.stages.written import lose_all_but_text, plain, pop_first

# What goes first when the whole is over the room; a summary was just paid for, so it goes last.
LEAVING = {
    Source.DOC: 1,
    Source.TOOL: 2,
    Source.PROFILE: 3,
    Source.MEMORY: 3,
    Source.NOTE: 4,
    Source.STATE: 5,
    Source.SUMMARY: 6,
}


@dataclass(frozen=True)
class FinalAssembler:
    """System text, retrieved documents, state, notes and memory in one system message; then the conversation."""

    name: ClassVar[str] = "final-assembler"
    docs_open: str = field(default="[RETRIEVED CONTEXT]", metadata={"about": "before the documents"})
    docs_close: str = field(default="[END RETRIEVED CONTEXT]", metadata={"about": "after the documents"})
    memory_heading: str = field(default="[MEMORY NOTES]", metadata={"about": "above the memory notes"})
    state_heading: str = field(default="[TASK STATE]", metadata={"about": "above the task state"})
    tools_heading: str = field(default="[TOOL RESULTS]", metadata={"about": "above results that answer no call"})
    divider: str = field(default="---", metadata={"about": "between documents"})
    net: str = field(
        default="ranked",
        metadata={
            "choices": ("ranked", "pop-first"),
            "about": "over the room: the lowest-ranked group goes, or the message after the system prompt",
        },
    )
    hold_limits: bool = field(
        default=True, metadata={"about": "notes, state and lone tool results that exceed their limit stay out"}
    )
    text_only: bool = field(
        default=False, metadata={"about": "write role and text alone, and no tools, as the article does"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        if self.text_only:
            payload = self._lose(edit, payload)
        else:
            lose_empty(edit)
        if self.hold_limits:
            hold_ceilings(edit, replace(payload, items=edit.current()))
        items = edit.current()
        if self.net == "pop-first":
            items = pop_first(edit, items, lambda left: self.layout(left, payload.question))
        places = {item.id: at for at, item in enumerate(items)}

        def leaving(group: Group) -> tuple[int, float, int, int]:
            first = group.first
            rank = 0 if first.group else LEAVING.get(first.source, 0)
            return rank, first.relevance, places[first.id], 0 if first.is_media else 1

        assemble(
            payload,
            edit,
            items,
            lambda left: self.layout(left, payload.question),
            leaving if self.net == "ranked" else None,
        )
        done = edit.done()
        return reorder(done, [item for message in done.messages for item in message.items], self.name, "written-order")

    def _lose(self, edit: Editor, payload: Payload) -> Payload:
        """What the article's assembler has no place for: tools, state, notes, results that answer no call."""
        for item in payload.items:
            if item.source in (Source.STATE, Source.NOTE) or (item.source is Source.TOOL and not item.message):
                edit.drop(item, "article-never-rendered", source=str(item.source))
        lose_all_but_text(edit, edit.current())
        if payload.tools:
            edit.report("article-tools-not-sent", "warning", count=len(payload.tools), cost=payload.budget.fixed)
            edit.set(tools=())
        return replace(payload, tools=())

    def layout(self, items: Sequence[Item], question: str) -> tuple[Message, ...]:
        leading = leading_systems(items)
        by_source = {source: [i for i in items if i.source is source and not i.message] for source in Source}
        results = [i for i in items if i.source is Source.TOOL and not i.group]
        head = self._head(leading, by_source)
        placed = {i.id for i in (*leading, *results)}
        talk = [i for i in items if i.id not in placed and (i.message or i.source is Source.SUMMARY)]
        asked = next((at for at, item in enumerate(talk) if item.id == question), len(talk))
        told = join("user", ((f"{self.tools_heading}\n", results, "\n\n"),), _tool_label)
        write = plain if self.text_only else as_sent
        return (*head, *write(talk[:asked]), *((told,) if told else ()), *write(talk[asked:]))

    def _head(self, leading: Sequence[Item], of: dict[Source, list[Item]]) -> tuple[Message, ...]:
        memory = [*of[Source.NOTE], *of[Source.MEMORY], *of[Source.PROFILE]]
        if (
            not (of[Source.DOC] or of[Source.STATE] or memory)
            and len({i.message for i in leading}) == len(leading) == 1
        ):
            return plain(leading) if self.text_only else as_sent(leading)
        docs = of[Source.DOC]
        role = leading[0].role if leading else "system"
        message = join(
            role,
            (
                ("", leading, "\n\n"),
                (f"\n\n{self.docs_open}\n", docs, f"\n{self.divider}\n"),
                (f"\n{self.docs_close}" if docs else "", None, ""),
                (f"\n\n{self.state_heading}\n", of[Source.STATE], "\n"),
                (f"\n\n{self.memory_heading}\n- ", memory, "\n- "),
            ),
        )
        return (message,) if message else ()


def _tool_label(item: Item) -> str:
    return f"[{item.name}]\n" if item.name else ""
