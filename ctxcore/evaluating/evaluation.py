"""The same questions to the same model under two managements: planned with its price, asked, resumable."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from ctxcore.counting.models import model as model_called
from ctxcore.evaluating.arms import Arm, Prompt, prompt
from ctxcore.evaluating.questions import Question
from ctxcore.evaluating.scoring import is_right
from ctxcore.model.replies import ChatModel, ModelError, Reply
from ctxcore.scenario import Scenario
from ctxcore.services import Services
from ctxcore.words import Phrase

LONGEST = 96  # tokens of an answer
LOOK = 0.2  # seconds between two looks at `stop`
AT_ONCE = 4  # requests, unless the caller brings an executor of its own
WRONG = frozenset(("too-long", "empty"))  # failures that are an answer of the arm's: a wrong one
HOPELESS = frozenset(("key", "refused"))  # the next request would meet the same

Known = MutableMapping[str, Mapping[str, Any]]  # answers by key: a dict, or a store


@dataclass(frozen=True, slots=True)
class Call:
    question: Question
    arm: int  # 0 or 1
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Answer:
    """`error`: why there is none. A refused or impossible prompt is a wrong answer; any other failure is no answer,
    and is asked again when the evaluation goes on."""

    question: Question
    arm: int
    text: str
    right: bool
    overflowed: bool
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    known: bool = False  # from before, paid already
    error: str = ""
    counts: bool = True


@dataclass(frozen=True)
class Plan:
    """Both prompts of every question. `known`, here and below: answers by key, those of other plans too."""

    arms: tuple[Arm, Arm]
    calls: tuple[Call, ...]
    max_tokens: int

    def key(self, call: Call, model: ChatModel) -> str:
        return call.prompt.key(model.fingerprint, self.max_tokens)

    def due(self, model: ChatModel, known: Mapping[str, Any]) -> tuple[Call, ...]:
        """What must be asked and paid: neither known already nor impossible."""
        return tuple(call for call in self.calls if call.prompt.fits and self.key(call, model) not in known)

    def usd(self, model: ChatModel, known: Mapping[str, Any]) -> float | None:
        """At most, at list price: every answer as long as it may be. None where no price is known."""
        price, due = model_called(model.name), self.due(model, known)
        if price.input_price is None or price.output_price is None:
            return None
        prompts, answers = sum(call.prompt.tokens for call in due), len(due) * self.max_tokens
        return (prompts * price.input_price + answers * price.output_price) / 1e6

    def answered(self, model: ChatModel, known: Mapping[str, Any]) -> list[Answer]:
        """What is known without asking, and what cannot be asked."""
        found = ((call, known.get(self.key(call, model))) for call in self.calls)
        return [
            _answer(call, there, known=True) if there else _impossible(call)
            for call, there in found
            if there or not call.prompt.fits
        ]


def plan(
    scenario: Scenario,
    questions: Sequence[Question],
    arms: tuple[Arm, Arm],
    *,
    max_tokens: int = LONGEST,
    services: Services | None = None,
    seed: int = 0,
) -> Plan:
    """Builds the prompts; asks nothing. Which arm is asked first is drawn for each question."""
    drawn = random.Random(seed)
    order = [(question, arm) for question in questions for arm in drawn.sample((0, 1), 2)]
    calls = (Call(question, arm, prompt(arms[arm], scenario, question.ask, services)) for question, arm in order)
    return Plan(arms, tuple(calls), max_tokens)


def evaluate(
    planned: Plan,
    model: ChatModel,
    known: Known,
    *,
    executor: Executor | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Answer]:
    """The answers as they come. What is `known` is not asked, and what comes is put there at once: stop it, and the
    next call goes on where this one was. Where the endpoint fails in a way that would repeat, no more is asked."""
    yield from planned.answered(model, known)
    due = planned.due(model, known)
    if due and not stop():
        yield from _asked(planned, due, model, known, executor or ThreadPoolExecutor(AT_ONCE), stop, executor is None)


def _asked(
    planned: Plan,
    due: Sequence[Call],
    model: ChatModel,
    known: Known,
    executor: Executor,
    stop: Callable[[], bool],
    is_ours: bool,
) -> Iterator[Answer]:
    hopeless = False
    halt = stop if is_ours else None  # another executor may be on another machine, where a flag cannot be seen
    futures: dict[Future[Mapping[str, Any]], Call] = {
        executor.submit(ask, model, call.prompt.messages, call.prompt.trace.tools, planned.max_tokens, halt): call
        for call in due
    }
    try:
        while futures:
            done, _ = wait(futures, LOOK, FIRST_COMPLETED)
            for future in done:
                call, found = futures.pop(future), future.result()
                if found.get("stopped"):
                    continue
                if not found.get("again"):
                    known[planned.key(call, model)] = found
                hopeless = hopeless or found.get("kind") in HOPELESS
                yield _answer(call, found)
            if hopeless or stop():  # what is under way is paid: it is waited for and kept
                futures = {future: call for future, call in futures.items() if not future.cancel()}
    finally:
        for future in futures:
            future.cancel()
        if is_ours:
            executor.shutdown(wait=False, cancel_futures=True)


def ask(
    model: ChatModel,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    max_tokens: int,
    stop: Callable[[], bool] | None = None,
) -> Mapping[str, Any]:
    """One request, as plain JSON; runs on the executor."""
    if stop is not None and stop():
        return {"stopped": True}
    try:
        reply: Reply = model.reply(messages, tools=tools, max_tokens=max_tokens, temperature=0.0, stop=stop)
    except ModelError as error:
        if error.kind == "stopped":
            return {"stopped": True}
        return {"text": "", "error": error.told, "again": error.kind not in WRONG, "kind": error.kind}
    if reply.finish == "stopped":
        return {"stopped": True}
    called = [f"{call.name}({call.arguments})" for call in reply.calls]
    return {
        "text": "\n".join((reply.text, *called)).strip(),
        "prompt": reply.prompt_tokens,
        "completion": reply.completion_tokens,
        "seconds": round(reply.seconds, 3),
    }


def _answer(call: Call, found: Mapping[str, Any], known: bool = False) -> Answer:
    text, error = str(found.get("text", "")), found.get("error", "")
    return Answer(
        call.question,
        call.arm,
        text,
        not error and is_right(call.question, text),
        call.prompt.overflowed,
        int(found.get("prompt") or call.prompt.tokens),
        int(found.get("completion") or 0),
        float(found.get("seconds") or 0.0),
        known,
        error,
        not found.get("again"),
    )


def _impossible(call: Call) -> Answer:
    return Answer(call.question, call.arm, "", False, True, 0, 0, 0.0, error=Phrase("over-the-window"))
