"""TrimWorking: the newest rounds verbatim, older ones as one summary; and the board, written anew (c2, c4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.board import Board, board_of, is_board
from ctxcore.counting.framing import frame
from ctxcore.groups import is_fixed, told
from ctxcore.item import Item, Source, Text
from ctxcore.layers import BOARD, WORKING, of_layer, room_left, rounds_of, weight
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services
from ctxcore.stages.telling import tell


@dataclass(frozen=True)
class TrimWorking:
    """Older rounds are summarised only where the working layer or the room would be exceeded; the article's code does
    it above six messages, whatever they hold."""

    name: ClassVar[str] = "trim-working"
    keep_rounds: int = field(default=3, metadata={"about": "newest rounds that stay verbatim (3–5)"})
    count_by: str = field(
        default="rounds",
        metadata={"choices": ("rounds", "messages"), "about": "messages: the article's six list entries"},
    )
    summary_tokens: int = field(default=300, metadata={"about": "tokens of the summary, at most"})
    marker: str = field(default="历史摘要：", metadata={"about": "first words of the summary"})
    board: bool = field(default=True, metadata={"about": "write the task board"})
    heading: str = field(default="当前任务看板", metadata={"about": "above the board"})
    board_chars: int = field(default=300, metadata={"about": "characters of one entry of the board, at most"})
    board_share: float = field(
        default=0.25, metadata={"about": "of the working layer that the board may take; then its oldest entries go"}
    )
    media_words: bool = field(
        default=True, metadata={"about": "tell pictures, sounds and files by caption or transcript before rounds go"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        edit = payload.edit(self.name)
        board = board_of(payload.items, self.board_chars)
        size = self._write(edit, board) if self.board and not board.is_empty else 0
        over = max(
            weight(of_layer(payload.items, WORKING)) + size - payload.budget.cap("working"), size - room_left(payload)
        )
        if self.media_words:
            words = tell(edit, payload.items, over, WORKING)
            over -= sum(item.tokens - words[item.id].tokens for item in payload.items if item.id in words)
        older = self._older(payload, edit.current())
        if older and (over > 0 or self.count_by == "messages"):
            self._summarize(payload, services, edit, older, board)
        return edit.done()

    def _write(self, edit: Editor, board: Board) -> int:
        payload = edit.payload
        most = int(self.board_share * payload.budget.cap("working"))
        text = board.within(most, payload.counter.count).text(self.heading)
        tokens = payload.counter.count(text)
        item = Item(
            BOARD,
            Source.STATE,
            "system",
            (Text(text),),
            tokens,
            priority=2,
            turn=10**9,
            parents=board.parents,
            name="board",
            frame=frame(payload.model, "system"),
        )
        edit.add(item, "board-written", done=len(board.done), todo=len(board.todo))
        state = [one for one in payload.items if is_board(one) and not one.pinned]
        edit.drop(state, "into-board")
        return tokens + item.frame - sum(one.tokens + one.frame for one in state)

    def _older(self, payload: Payload, items: Sequence[Item]) -> list[Item]:
        if self.count_by == "messages":
            talk = [i for i in items if i.message and i.source is not Source.SYSTEM]
            return talk[: -2 * self.keep_rounds]
        rounds = rounds_of(items)
        return [
            item
            for one in rounds[: -self.keep_rounds]
            for group in one
            if not is_fixed(group, payload.question)
            for item in group.items
        ]

    def _summarize(self, payload: Payload, services: Services, edit: Editor, older: list[Item], board: Board) -> None:
        room = min(self.summary_tokens, payload.budget.cap("working") // 4) - payload.counter.count(self.marker)
        text = (
            services.compressor.digest(
                told(older), query=board.current or payload.query, max_tokens=room, counter=payload.counter
            )
            if room > 0
            else ""
        )
        block = self.marker + text
        if not text or payload.counter.count(block) >= weight(older):
            return
        edit.merge(
            older,
            block,
            "rounds-summarized",
            role="system",
            frame=frame(payload.model, "system"),
            rounds=self.keep_rounds,
        )
