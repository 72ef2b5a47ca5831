"""Asks a model for a shorter text: remembered here and on disk, in parts where it is long, not while it is down."""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter as Tally
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from ctxcore.compressing.answers import Answers
from ctxcore.compressing.model_prompts import VERSION, Kind, prompt
from ctxcore.compressing.sentences import sentences
from ctxcore.memo import Memo
from ctxcore.model.replies import ChatModel, ModelError, Reply
from ctxcore.services import Counter

PAUSE = 30.0  # seconds for which a model that is down is not asked
DOWN = ("timeout", "connection", "server", "rate", "key")
SMALLEST = 512  # tokens of a part, below which a text that is too long is given up

_answers: Memo[str, str] = Memo(16_000_000)
_known: Tally[str] = Tally()  # fingerprint → answers that came in


class NotAskedError(Exception):
    """Calls and prompt tokens that the answer would take."""

    def __init__(self, calls: int, tokens: int) -> None:
        super().__init__(calls, tokens)
        self.calls, self.tokens = calls, tokens


@dataclass(frozen=True, slots=True)
class Task:
    kind: Kind
    query: str
    max_tokens: int
    counter: Counter

    @property
    def aim(self) -> int:
        """Tokens to ask for: the largest of 24, 32, 48, 64, 96 … within the limit, so that a limit may move a little
        and the answer is still the one remembered."""
        step = 1 << (self.max_tokens.bit_length() - 1)
        return step * 3 // 2 if step * 3 // 2 <= self.max_tokens else step


@dataclass(slots=True)
class Bill:
    """What the calls for one text came to; remembered answers cost nothing."""

    calls: int = 0
    remembered: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    fresh: dict[str, str] = field(default_factory=dict)  # key → answer, of the calls that were made

    def add(self, reply: Reply) -> None:
        self.calls += 1
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        self.seconds += reply.seconds

    def facts(self) -> dict[str, Any]:
        told = ("calls", "remembered", "prompt_tokens", "completion_tokens")
        return {name: getattr(self, name) for name in told} | {"seconds": round(self.seconds, 3)}


class Asking:
    """Thread-safe but for a call or two made twice."""

    def __init__(self, model: ChatModel, live: bool, window: int, answers: Answers) -> None:
        self.model, self.live, self.answers = model, live, answers
        self._part = window // 2  # tokens of text in one request; halved when the model says it is too long
        self._down: tuple[float, ModelError] | None = None  # until when, and what happened

    @property
    def known(self) -> int:
        """Changes as answers come in, also those that other processes write."""
        return _known[self.model.fingerprint] + self.answers.written

    def keep(self, bill: Bill) -> None:
        """The answers of the calls were found good: they go to disk."""
        for key, text in bill.fresh.items():
            self.answers.put(key, text)

    def forget(self, bill: Bill) -> None:
        """They were no summaries: the model will be asked again."""
        for key in bill.fresh:
            _answers.drop(key)

    def ask(self, source: str, task: Task, bill: Bill) -> str:
        """Raises ModelError or NotAskedError."""
        while True:
            try:
                return self._whole(source, task, bill)
            except ModelError as error:
                if error.kind != "too-long" or self._part < 2 * SMALLEST:
                    raise
                self._part //= 2

    def _whole(self, source: str, task: Task, bill: Bill) -> str:
        parts = list(_parts(source, self._part, task.counter))
        if len(parts) == 1:
            return self._one(source, task, task.aim, bill)
        share = max(32, 2 * task.aim // len(parts))
        if not self.live and not all(self._remembered(part, task, share) for part in parts):
            raise NotAskedError(len(parts) + 1, task.counter.count(source))
        joined = "\n".join(self._one(part, task, share, bill).strip() for part in parts)
        if task.counter.count(joined) <= task.max_tokens or task.counter.count(joined) >= task.counter.count(source):
            return joined
        return self._whole(joined, task, bill)

    def _one(self, text: str, task: Task, aim: int, bill: Bill) -> str:
        if (found := self._remembered(text, task, aim)) is not None:
            bill.remembered += 1
            return found
        messages = prompt(task.kind, text, task.query, aim)
        if not self.live:
            raise NotAskedError(1, sum(task.counter.count(message["content"]) for message in messages))
        reply = self._reply(messages, 2 * aim + 64)  # its own tokens may be shorter; what is too long is cut later
        bill.add(reply)
        key = self._key(messages, task.counter)
        bill.fresh[key] = reply.text
        _answers.put(key, reply.text, len(reply.text))
        _known[self.model.fingerprint] += 1
        return reply.text

    def _reply(self, messages: list[Any], max_tokens: int) -> Reply:
        if self._down and time.monotonic() < self._down[0]:
            raise self._down[1]
        try:
            return self.model.reply(messages, max_tokens=max_tokens)
        except ModelError as error:
            if error.kind in DOWN:
                self._down = time.monotonic() + PAUSE, error
            raise

    def _remembered(self, text: str, task: Task, aim: int) -> str | None:
        key = self._key(prompt(task.kind, text, task.query, aim), task.counter)
        found = _answers.get(key, 0)
        if found is None and (found := self.answers.get(key)) is not None:
            _answers.put(key, found, len(found))
        return found

    def _key(self, messages: list[Any], counter: Counter) -> str:
        """Of all that an answer hangs on: the text, the query and the length stand in the messages."""
        said = json.dumps([VERSION, self.model.fingerprint, counter.fingerprint, messages])
        return hashlib.sha256(said.encode()).hexdigest()


def _parts(source: str, tokens: int, counter: Counter) -> Iterator[str]:
    """The text in pieces of about `tokens`, cut between sentences, all of about one length."""
    total = counter.count(source)
    if total <= tokens:
        yield source
        return
    pieces = sentences(source)
    ends = list(accumulate(counter.count(piece) for piece in pieces))
    size = ends[-1] / -(-ends[-1] // tokens)
    part, number = "", 1
    for piece, end in zip(pieces, ends, strict=True):
        if part and end > size * number:
            yield part
            part, number = "", number + 1
        part += piece
    yield part
