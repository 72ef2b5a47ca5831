"""How a history that is over its share becomes one that is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxcore.counting.framing import frame
from ctxcore.fitting import ENDLESS
from ctxcore.groups import Group, groups_of, is_fixed, singles
from ctxcore.item import Item, Source
from ctxcore.payload import Editor, Payload
from ctxcore.retrieving.retrieval import relevances
from ctxcore.services import Services
from ctxcore.stages.ceilings import in_history, refused_cost
from ctxcore.stages.shortening import MIN_SUMMARY, shorten, shortening
from ctxcore.stages.telling import tell

if TYPE_CHECKING:
    from ctxcore.stages.conversation_compactor import ConversationCompactor


class Compaction:
    """One compaction. `cap` is the history's share; `room` what others leave of the room, framing included."""

    def __init__(self, stage: ConversationCompactor, payload: Payload, services: Services) -> None:
        self.stage, self.payload, self.services = stage, payload, services
        groups = groups_of(payload.items) if stage.whole_groups else singles(payload.items)
        self.history: list[Group] = []
        others = 0
        for group in groups:
            if in_history(group.first):
                self.history.append(group)
            elif group.first.source is not Source.DOC:
                others += group.cost
        self.cap = payload.budget.cap("history")
        others -= refused_cost(payload)
        self.room = payload.budget.room - payload.budget.fixed - others if stage.hold_room else ENDLESS
        self.edit: Editor = payload.edit(stage.name)
        self.told: dict[str, Item] = {}  # media that are told in words

    def within(self) -> bool:
        return self._fits(self.history)

    def _fits(self, groups: Sequence[Group], more: int = 0) -> bool:
        """Whether the groups and `more` tokens fit both the share and the room."""
        return sum([g.tokens for g in groups]) + more <= self.cap and sum([g.cost for g in groups]) + more <= self.room

    def done(self) -> Payload:
        if self.stage.media_words and self._tell() and self.within():
            self._keep(self.history)
            return self.edit.done()
        protected = self._protected()
        kept_ids = {id(group) for group in protected}
        others = [group for group in self.history if id(group) not in kept_ids]
        if not self._fits(protected):
            return self._too_recent(protected, others)
        for group in protected:
            self._stay(group.items, "pinned" if group.pinned else "recent", recent=self.stage.preserve_recent)
        if self.stage.overflow == "prioritize":
            self._prioritize(protected, others)
        elif self.stage.overflow == "truncate" or not self._summarize(protected, others):
            self._truncate(protected, others)
        return self.edit.done()

    def _tell(self) -> bool:
        """Pictures, sounds and files in words, the oldest first, until the history fits; whether any was."""
        over = max(sum(g.tokens for g in self.history) - self.cap, sum(g.cost for g in self.history) - self.room)
        told = self.told = tell(self.edit, (item for g in self.history for item in g.items), over, "history")
        if told:
            self.history = [Group(tuple(told.get(item.id, item) for item in g.items)) for g in self.history]
        return bool(told)

    def _too_recent(self, protected: Sequence[Group], others: Sequence[Group]) -> Payload:
        """The newest messages alone are over the share."""
        if self.stage.compress_recent:
            self._compress_recent(protected)
            self._drop(others, "oldest-out")
            return self.edit.done()
        used = sum(group.tokens for group in protected)
        self.edit.report("article-recent-over", "warning", recent=self.stage.preserve_recent, used=used, cap=self.cap)
        if others:
            self._merge(others, min(self.stage.summary_tokens, self.cap))
        return self.edit.done()

    def _protected(self) -> list[Group]:
        """The newest messages, extended outward to whole groups; the question; what is pinned."""
        newest: list[Group] = []
        messages = 0
        for group in reversed(self.history):
            if messages < self.stage.preserve_recent or is_fixed(group, self.payload.question):
                newest.append(group)
                messages += max(1, len(group.messages))
        return newest[::-1]

    def _newest_fitting(self, protected: Sequence[Group], others: Sequence[Group], reserved: int) -> int:
        """Index in `others` from which on everything fits beside the protected, with `reserved` tokens left."""
        tokens = self.cap - reserved - sum(g.tokens for g in protected)
        room = self.room - reserved - sum(g.cost for g in protected)
        for at in range(len(others) - 1, -1, -1):
            tokens -= others[at].tokens
            room -= others[at].cost
            if tokens < 0 or room < 0:
                return at + 1
        return 0

    def _truncate(self, protected: Sequence[Group], others: Sequence[Group]) -> None:
        start = self._newest_fitting(protected, others, 0)
        self._keep(others[start:])
        self._drop(others[:start], "oldest-out")

    def _prioritize(self, protected: Sequence[Group], others: Sequence[Group]) -> None:
        """The most relevant groups first; of equals the newer. They keep their places in the conversation."""
        scores = self._relevances(others)
        kept = list(protected)
        tokens, room = sum(g.tokens for g in kept), sum(g.cost for g in kept)
        for at in sorted(range(len(others)), key=lambda at: (-scores[at], -others[at].turn)):
            group = others[at]
            if tokens + group.tokens <= self.cap and room + group.cost <= self.room:
                tokens, room = tokens + group.tokens, room + group.cost
                self._keep([group])
            else:
                self.edit.drop(group.items, "least-relevant", cap=min(self.cap, self.room), relevance=scores[at])

    def _relevances(self, groups: Sequence[Group]) -> Sequence[float]:
        if not self.payload.query:
            return [0.0] * len(groups)
        texts = tuple("\n".join(item.text for item in group.items) for group in groups)
        return relevances(self.payload.query, texts, self.services.retriever)

    def _summarize(self, protected: Sequence[Group], others: Sequence[Group]) -> bool:
        """Older groups into one block that stands where they stood. False where that would not help."""
        left = min(self.cap - sum(g.tokens for g in protected), self.room - sum(g.cost for g in protected))
        framing = frame(self.payload.model, "system")
        aim = min(self.stage.summary_tokens, self.cap // 4, left - framing)
        if aim < MIN_SUMMARY:
            return False
        start = self._newest_fitting(protected, others, aim + framing) if self.stage.fill else len(others)
        if not start or not self._merge(others[:start], aim):
            return False
        self._keep(others[start:])
        return True

    def _merge(self, groups: Sequence[Group], aim: int) -> bool:
        """The groups as one block of at most `aim` tokens. False, and nothing done, where it would not be smaller."""
        older = [item for group in groups for item in group.items]
        head = f"{self.stage.marker}\n"
        told = [line for group in groups for line in group.told]
        text = self.services.compressor.digest(
            told,
            query=self.payload.query,
            counter=self.payload.counter,
            max_tokens=aim - self.payload.counter.count(head),
        )
        block = head + text
        if not text or self.payload.counter.count(block) >= sum(item.tokens for item in older):
            return False
        self.edit.merge(
            older,
            block,
            "summarized",
            role="system",
            frame=frame(self.payload.model, "system"),
            cap=min(self.cap, self.room),
        )
        return True

    def _compress_recent(self, protected: Sequence[Group]) -> None:
        """The newest messages alone are too much: the oldest of them is compressed first, the question never."""
        cap = min(self.cap, self.room)
        free = [at for at, group in enumerate(protected) if not is_fixed(group, self.payload.question)]
        plan, over = shortening(protected, free, self.cap, self.room)
        for group, targets in zip(protected, plan, strict=True):
            if is_fixed(group, self.payload.question):
                self.edit.keep(group.items, "pinned" if group.pinned else "always")
            elif targets is None:
                self.edit.drop(group.items, "oldest-out", cap=cap)
            else:
                for item in group.items:
                    if item.id in targets:
                        shorten(self.edit, self.services, item, targets[item.id], "compressed-recent", cap=cap)
                    else:
                        self._stay((item,), "recent", recent=self.stage.preserve_recent)
        if over > 0:
            fixed = [group.first.id for group in protected if is_fixed(group, self.payload.question)]
            self.edit.report("over-cap", "warning", fixed, limit="history", cap=cap, over=over)

    def _keep(self, groups: Sequence[Group]) -> None:
        self._stay([item for group in groups for item in group.items], "still-fits", cap=min(self.cap, self.room))

    def _stay(self, items: Sequence[Item], rule: str, **facts: int) -> None:
        self.edit.keep([item for item in items if item.id not in self.told], rule, **facts)

    def _drop(self, groups: Sequence[Group], rule: str) -> None:
        self.edit.drop([item for group in groups for item in group.items], rule, cap=min(self.cap, self.room))
