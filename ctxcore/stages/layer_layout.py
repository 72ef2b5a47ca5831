"""LayerLayout: persistent → recall → working, the board near the end, where it is read best (c1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.fitting import assemble, lose_empty, reorder
from ctxcore.groups import Group
from ctxcore.item import Item, Source
from ctxcore.layers import BOARD, PERSISTENT, RECALL, layer_of
from ctxcore.message import Message, as_sent, join
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services
from ctxcore.stages.construct import leading_systems
from ctxcore.stages.written import lose_all_but_text, plain

LEAVING = {RECALL: 0}  # what is over the room after all: recall first, then the oldest turns


@dataclass(frozen=True)
class LayerLayout:
    """The board stands right before the question, or at the very end where calls follow it; the article's code puts it
    second, though its text says last."""

    name: ClassVar[str] = "layer-layout"
    board_last: bool = field(
        default=True, metadata={"about": "the board near the end; off: right after the persistent layer"}
    )
    recall_heading: str = field(default="## 召回的知识", metadata={"about": "above what was recalled"})
    notes_heading: str = field(default="## 执行笔记", metadata={"about": "above the notes"})
    safety_net: bool = field(default=True, metadata={"about": "measure the payload, and drop what is over the room"})
    text_only: bool = field(default=False, metadata={"about": "write role and text alone, as the article does"})
    repeat: bool = field(
        default=False, metadata={"about": "write the instructions again after the board, where they are read best"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        if self.text_only:
            lose_all_but_text(edit, payload.items)
        else:
            lose_empty(edit)
        items = edit.current()
        places = {item.id: at for at, item in enumerate(items)}

        def leaving(group: Group) -> tuple[int, float, int, int]:
            first = group.first
            last = 2 if first.id == BOARD else LEAVING.get(layer_of(first), 1)
            return last, first.relevance if last == 0 else 0.0, places[first.id], 0 if first.is_media else 1

        assemble(
            payload, edit, items, lambda left: self.layout(left, payload.question), leaving if self.safety_net else None
        )
        if self.repeat:
            self._tell_cost(edit, payload)
        done = edit.done()
        return reorder(done, [item for message in done.messages for item in message.items], self.name, "layered")

    def _tell_cost(self, edit: Editor, payload: Payload) -> None:
        """What saying the instructions twice costs (c16); the tokens are overhead, for no item is written twice."""
        said = leading_systems(payload.items)
        if said:
            edit.report("instructions-repeated", "info", [item.id for item in said], cost=sum(i.tokens for i in said))

    def layout(self, items: Sequence[Item], question: str) -> tuple[Message, ...]:
        write = plain if self.text_only else as_sent
        leading = leading_systems(items)
        board = plain([item for item in items if item.id == BOARD])
        lone = [item for item in items if not item.message and item.id != BOARD]
        profile = [item for item in lone if layer_of(item) == PERSISTENT]
        recalled = [item for item in lone if layer_of(item) == RECALL]
        notes = [item for item in lone if item.source in (Source.NOTE, Source.STATE)]
        results = [item for item in items if item.source is Source.TOOL and not item.group]
        placed = {item.id for part in (leading, profile, recalled, notes, results) for item in part}
        talk = [item for item in items if item.id not in placed and item.id != BOARD]
        asked = next((item.message for item in talk if item.id == question), None)
        ends = bool(talk) and talk[-1].message == asked
        end = [item for item in talk if ends and asked and item.message == asked]
        rest = [item for item in talk if item not in end]
        return (
            *write(leading),
            *_joined("system", "", profile, "\n"),
            *(() if self.board_last else board),
            *_joined("system", f"{self.recall_heading}\n\n", recalled, "\n\n"),
            *_joined("system", f"{self.notes_heading}\n", notes, "\n"),
            *write(rest),
            *_joined("user", "", results, "\n\n"),
            *(board if self.board_last else ()),
            *(_again(leading) if self.repeat else ()),
            *write(end),
        )


def _joined(role: str, opening: str, items: Sequence[Item], between: str) -> tuple[Message, ...]:
    message = join(role, ((opening, items, between),))
    return (message,) if message else ()


def _again(leading: Sequence[Item]) -> tuple[Message, ...]:
    """The instructions a second time, as words that belong to no item."""
    text = "\n\n".join(item.text for item in leading)
    return (Message("system", (text,), joined=True),) if text else ()
