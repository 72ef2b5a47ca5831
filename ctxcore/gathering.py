"""From a scenario to counted items: done once for a scenario and a model, and never again for another budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from ctxcore.counting.framing import frame, tool_name_tokens
from ctxcore.counting.images import media_tokens
from ctxcore.counting.models import Model
from ctxcore.item import Call, Item, Media, Part, Result, Source, Text, counted
from ctxcore.reading import pair_calls, read_calls, read_content
from ctxcore.scenario import Record, Scenario
from ctxcore.services import Counter

JOIN = 6  # tokens allowed for heading or joint of an item in a shared message; the assembler measures them


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    items: tuple[Item, ...]
    question: str  # id of the last user message's item; "" where there is none
    query: str


_memo: WeakKeyDictionary[Scenario, dict[str, Gathered]] = WeakKeyDictionary()


def gathered(scenario: Scenario, model: Model, counter: Counter) -> Gathered:
    """Every source of the scenario as items, in the order: system, state, notes, memory, profile, documents, results
    that answer no call, conversation. Pinned ones carry the mark."""
    known = _memo.setdefault(scenario, {})
    key = f"{model.name}:{counter.fingerprint}"
    if key not in known:
        known[key] = _Reader(scenario, model, counter).read()
    return known[key]


@dataclass(frozen=True, slots=True)
class _Told:
    """What a message says."""

    message: Mapping[str, Any]
    key: str
    parts: tuple[Part, ...]
    media: Sequence[tuple[int, Media]]  # each with its place among the parts of the content
    answers: int | None  # index of the message whose call it answers
    called: str  # the tool of that call


class _Reader:
    def __init__(self, scenario: Scenario, model: Model, counter: Counter) -> None:
        self.scenario, self.model, self.counter = scenario, model, counter
        self.pinned = set(scenario.pinned)
        self.asked = scenario.asked
        self.ages = self._ages()

    def read(self) -> Gathered:
        conversation = self._conversation()
        leading = next(
            (at for at, item in enumerate(conversation) if item.source is not Source.SYSTEM), len(conversation)
        )
        question = next((item for item in conversation if item.source is Source.USER), None)
        query = question.text if question and not question.is_media else ""
        items = (*conversation[:leading], *self._records(query), *conversation[leading:])
        return Gathered(items, question.id if question else "", query)

    # -- sources that are no messages ----------------------------------------------------------

    def _records(self, query: str) -> list[Item]:
        s = self.scenario
        state = (s.state,) if s.state else ()
        out = [self._record(r, Source.STATE, priority=2) for r in state]
        out += [self._record(r, Source.NOTE, priority=2) for r in s.notes]
        out += [self._record(r, Source.MEMORY, priority=2) for r in s.memory]
        out += [self._record(r, Source.PROFILE, priority=2) for r in s.profile]
        scores = self._scores(query)
        out += [
            self._record(r, Source.DOC, priority=4, relevance=score)
            for r, score in zip(s.documents, scores, strict=True)
        ]
        for turn, r in enumerate(s.tool_results):
            item = self._record(r, Source.TOOL, priority=2 if r.recent else 6, role="user")
            out.append(replace(item, turn=turn, parts=(Result("", r.title, r.text),), name=r.title))
        return out

    def _record(
        self, record: Record, source: Source, *, priority: int, relevance: float = 1.0, role: str = "system"
    ) -> Item:
        return Item(
            record.id,
            source,
            role,
            (Text(record.text),),
            self.counter.count(record.text),
            priority=priority,
            relevance=relevance,
            name=record.title,
            pinned=record.id in self.pinned,
            frame=JOIN,
        )

    def _scores(self, query: str) -> list[float]:
        """A document's own score, or its BM25 score against the question, the best of the set being 1."""
        documents = self.scenario.documents
        if all(r.score is not None for r in documents):
            return [min(1.0, max(0.0, r.score or 0.0)) for r in documents]
        from ctxcore.retrieving.retrieval import relevances

        return list(relevances(query, tuple(r.text for r in documents)))

    # -- the conversation ----------------------------------------------------------------------

    def _conversation(self) -> list[Item]:
        pairs = pair_calls(self.scenario.messages)
        callers = {call_at for call_at, _ in pairs.values()}
        newest = max(callers, default=-1)
        messages = zip(self.scenario.messages, self.scenario.ids, strict=True)
        told = [self._read(at, *one, *pairs.get(at, (None, ""))) for at, one in enumerate(messages)]
        self.counter.learn(text for one in told for part in one.parts for text in counted(part))
        out: list[Item] = []
        for at, one in enumerate(told):
            call_at = at if at in callers else one.answers
            out += self._message(at, one, call_at, recent=call_at == newest)
        return out

    def _read(self, at: int, message: Mapping[str, Any], key: str, answers: int | None, called: str) -> _Told:
        texts, media = read_content(message.get("content"))
        if self._source(at, str(message.get("role"))) is not Source.TOOL:
            return _Told(message, key, (*map(Text, texts), *read_calls(message)), media, answers, called)
        name, call = called or str(message.get("name") or ""), str(message.get("tool_call_id") or "") if called else ""
        return _Told(message, key, (Result(call, name, "\n".join(texts)),), media, answers, called)

    def _ages(self) -> dict[int, int]:
        """Message index → priority of the conversation: from 8 (oldest) to 3 (newest), as article 1 means it."""
        roles = [str(message.get("role")) for message in self.scenario.messages]
        talk = [at for at, role in enumerate(roles) if self._source(at, role) is Source.CONVERSATION]
        last = len(talk) - 1
        return {at: 8 - round(5 * place / last) if last else 3 for place, at in enumerate(talk)}

    def _message(self, at: int, told: _Told, call_at: int | None, *, recent: bool) -> list[Item]:
        message, key, parts, called = told.message, told.key, told.parts, told.called
        role = str(message.get("role"))
        source = self._source(at, role)
        calls = sum(isinstance(part, Call) for part in parts)
        name = str(message.get("name") or "")
        if source is Source.TOOL:
            name = called or name
        group = f"group-{call_at + 1:04d}" if call_at is not None else None
        said = any(part.text for part in parts if isinstance(part, Text))
        worded = said or bool(calls) or source is Source.TOOL or not told.media  # "" beside a picture is no item
        shared: dict[str, Any] = {
            "role": role,
            "turn": at,
            "group": group,
            "message": key,
            "pinned": key in self.pinned,
            "wire": message,
            "name": name,
            "siblings": len(told.media) + worded,
            "frame": self._frame(role, name, calls, called),
            "priority": self.ages.get(at) or (1 if source is not Source.TOOL else 2 if recent else 6),
        }
        out = [Item(key, source, parts=parts, tokens=self._tokens(parts), at=-1, **shared)] if worded else []
        counts: dict[Source, int] = {}
        for place, part in told.media:
            counts[part.kind] = counts.get(part.kind, 0) + 1
            tokens, _ = media_tokens(self.model, part)
            kind = source if not worded and source is Source.USER and not out else part.kind
            own = {**shared, "pinned": shared["pinned"] or f"{key}/{part.kind}-{counts[part.kind]}" in self.pinned}
            out.append(
                Item(f"{key}/{part.kind}-{counts[part.kind]}", kind, parts=(part,), tokens=tokens, at=place, **own)
            )
        return out

    def _source(self, at: int, role: str) -> Source:
        if role in ("system", "developer"):
            return Source.SYSTEM
        if role in ("tool", "function"):
            return Source.TOOL
        return Source.USER if at == self.asked else Source.CONVERSATION

    def _frame(self, role: str, name: str, calls: int, called: str) -> int:
        name_tokens = self.counter.count(name) if name else 0
        if role in ("tool", "function"):
            return frame(self.model, role, name_tokens, calls, tool_name_tokens(self.counter, called or name))
        return frame(self.model, role, name_tokens, calls)

    def _tokens(self, parts: Sequence[Part]) -> int:
        return sum(self.counter.count(text) for part in parts for text in counted(part))
