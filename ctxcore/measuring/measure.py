"""Asking the probes: one after the other or several at once, with what was answered before, until told to stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from ctxcore.measuring.plan import LONGEST_REPLY, Probe
from ctxcore.model.replies import ChatModel, ModelError

PATIENCE = 3  # failed calls in a row, after which nothing more is asked
BATCH = 8  # probes that are handed to an executor at once


@dataclass(frozen=True, slots=True)
class Observation:
    """One answer. `confused`: it names the number of a distractor. `error`: there was none, and it counts nothing."""

    key: str
    tokens: int
    place: float
    kind: str
    found: bool = False
    confused: bool = False
    answer: str = ""
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def measure(
    probes: Iterable[Probe],
    model: ChatModel,
    *,
    known: Mapping[str, Observation] | None = None,
    executor: Executor | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Observation]:
    """Observations in the order of the probes. `known` are those of an earlier, stopped run: not asked again."""
    answered, failed, halt = known or {}, 0, stop or (lambda: False)
    pending = iter(probes)
    while batch := list(islice(pending, BATCH if executor else 1)):
        if halt() or failed >= PATIENCE:
            return
        for seen in _asked(batch, model, answered, executor):
            failed = failed + 1 if seen.error else 0
            yield seen


def _asked(
    batch: list[Probe], model: ChatModel, answered: Mapping[str, Observation], executor: Executor | None
) -> Iterator[Observation]:
    new = [probe for probe in batch if probe.key not in answered]
    found = (executor.map if executor else map)(lambda probe: ask(probe, model), new)
    seen = {one.key: one for one in found}
    for probe in batch:
        yield answered.get(probe.key) or seen[probe.key]


def ask(probe: Probe, model: ChatModel) -> Observation:
    """One call; what fails is an observation without an answer."""
    try:
        reply = model.reply(probe.messages, max_tokens=LONGEST_REPLY)
    except ModelError as error:
        return Observation(probe.key, probe.tokens, probe.place, probe.kind, error=error.told)
    digits = reply.text.replace(",", "").replace(" ", "")
    return Observation(
        probe.key,
        probe.tokens,
        probe.place,
        probe.kind,
        str(probe.number) in digits,
        any(str(other) in digits for other in probe.others) and str(probe.number) not in digits,
        reply.text.strip()[:200],
        reply.prompt_tokens,
        reply.cached_tokens,
    )
