"""A Compressor that asks a small model, and takes no answer on trust: what fails a check is replaced and told."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import Any

from ctxcore.auditing.audit import NAMED, audit
from ctxcore.compressing.answers import Answers
from ctxcore.compressing.asking import Asking, Bill, NotAskedError, Task
from ctxcore.compressing.json_text import json_value
from ctxcore.compressing.structure import folded
from ctxcore.model.replies import ChatModel, ModelError
from ctxcore.retrieving.terms import terms
from ctxcore.services import Compressor, Counter
from ctxcore.words import Phrase

SHORTEST = 24  # tokens: for less, a model is not asked
VERBATIM = frozenset(("system", "state", "note", "profile"))  # never in other words than the user's
ABOUT = 1 / 3  # of an answer's words that must be the text's: an error's text or an apology shares none
KEPT = 1_000  # tellings that nobody has read

_LIST_MARK = re.compile(r"^\s*(?:\d{1,2}[.)、]|[-*•])\s*", re.MULTILINE)
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)

Telling = tuple[str, dict[str, Any]]  # rule and facts


class ModelCompressor:
    """Answers are accepted if they are shorter than the text, about it, hold no number that it does not, and deny what
    it denies.

    Otherwise, and where the model fails, the result is the fallback's. `live` false: only answers that are remembered
    are used, nothing is spent. `window`: tokens of the model's context; longer texts are asked for in parts. `answers`:
    where good answers are kept for other processes; in memory alone where there is none.
    """

    patience: float | None = None  # the model's endpoint keeps times of its own

    def __init__(
        self,
        model: ChatModel,
        fallback: Compressor,
        *,
        live: bool = True,
        window: int = 8192,
        answers: Answers | None = None,
    ) -> None:
        self.model, self.fallback, self.live = model, fallback, live
        self._asking = Asking(model, live, window, answers or Answers(None))
        self._told_fault = ""
        self._mine = threading.local()  # tellings, by thread: two visitors may share this object

    @property
    def fingerprint(self) -> str:
        """Changes as answers come in: what was built without them is no longer what would be built."""
        return (
            f"ModelCompressor@1({self.model.fingerprint},{self.fallback.fingerprint},{self.live},{self._asking.known})"
        )

    def told(self) -> tuple[Telling, ...]:
        """Rule and facts of each text that this thread had shortened since it last asked; at most the first 1,000.

        model-summary, model-failed, model-refused-longer, model-invented, model-flipped,
        model-not-called, cache-unusable.
        """
        if (fault := self._asking.answers.fault) and fault != self._told_fault:
            self._told_fault = fault
            self._tellings.append(("cache-unusable", {"says": fault}))
        told = tuple(self._tellings)
        self._tellings.clear()
        return told

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> str:
        if max_tokens <= 0 or counter.count(text) <= max_tokens:
            return text if max_tokens > 0 else ""
        whole = folded(text, counter)
        if counter.count(whole) <= max_tokens:
            return whole
        found = ""
        if source not in VERBATIM and json_value(text) is None:  # JSON stays JSON: no model is trusted with it
            found = self._asked(text, Task("compress", query, max_tokens, counter))
        return found or self.fallback.compress(text, query=query, max_tokens=max_tokens, counter=counter, source=source)

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        block = "".join(f"{label}: {text.strip()}\n" for label, text in texts)
        found = ""
        if counter.count(block) > max_tokens:
            found = self._asked(block, Task("digest", query, max_tokens, counter))
        return found or self.fallback.digest(texts, query=query, max_tokens=max_tokens, counter=counter)

    def _asked(self, source: str, task: Task) -> str:
        """The model's result within the limit; "" where the fallback's shall be taken."""
        if task.max_tokens < SHORTEST:
            return ""
        bill = Bill()
        try:
            answer = self._asking.ask(source, task, bill)
        except NotAskedError as cause:
            return self._tell("model-not-called", calls=cause.calls, prompt_tokens=cause.tokens, reply_tokens=task.aim)
        except ModelError as error:
            return self._tell("model-failed", kind=error.kind, says=error.told, **bill.facts())
        return self._checked(source, _clean(answer), task, bill)

    def _checked(self, source: str, answer: str, task: Task, bill: Bill) -> str:
        tokens, left = task.counter.count(source), task.counter.count(answer)
        if not answer:
            self._asking.forget(bill)
            return self._tell("model-failed", kind="empty", says=Phrase("summary-none"), **bill.facts())
        if left >= tokens:
            return self._tell("model-refused-longer", tokens=tokens, left=left, **bill.facts())
        if not _is_about(source, answer):
            self._asking.forget(bill)
            return self._tell("model-failed", kind="unrelated", says=Phrase("summary-unrelated"), **bill.facts())
        found = audit(source, _LIST_MARK.sub("", answer))
        if found.invented:
            numbers = ", ".join(fact.text for fact in found.invented[:NAMED])
            return self._tell("model-invented", numbers=numbers, **bill.facts())
        if found.flips:
            said = ", ".join(flip.fact.text for flip in found.flips[:NAMED])
            return self._tell("model-flipped", count=len(found.flips), said=said, **bill.facts())
        self._asking.keep(bill)
        if cut := left > task.max_tokens:
            answer = self.fallback.compress(answer, query=task.query, max_tokens=task.max_tokens, counter=task.counter)
        self._tell("model-summary", tokens=tokens, left=task.counter.count(answer), cut=cut, **bill.facts())
        return answer

    @property
    def _tellings(self) -> list[Telling]:
        found: list[Telling] = self._mine.__dict__.setdefault("tellings", [])
        return found

    def _tell(self, rule: str, **facts: Any) -> str:
        if len(self._tellings) < KEPT:
            self._tellings.append((rule, {"model": self.model.name, **facts}))
        return ""


def _clean(answer: str) -> str:
    """Without what a reasoning model thought aloud, and without the marks of the request."""
    bare = _THOUGHT.sub("", answer).strip()
    return bare.removeprefix("<text>").removesuffix("</text>").strip()


def _is_about(source: str, answer: str) -> bool:
    """Whether enough of the answer's words are the text's own."""
    said = set(terms(answer))
    return len(said & set(terms(source))) >= ABOUT * len(said)
