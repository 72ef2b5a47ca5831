"""A ready-made comparison: small sources, two settings, and what the fault is known by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from ctxcore.build import build
from ctxcore.linting.lint import lint
from ctxcore.scenario import Scenario
from ctxcore.trace import Trace

Message = dict[str, Any]
ARTICLE, REPAIRED = {"variant": "article"}, {"variant": "repaired"}


@dataclass(frozen=True)
class Demo:
    """`both` settings hold on both sides, `first` and `second` on one. `shows` is true of the two runs if the fault is
    to be seen; of two equal runs it is false."""

    name: str
    sources: Callable[[], Scenario]
    shows: Callable[[Trace, Trace], bool]
    both: Mapping[str, Any] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=lambda: ARTICLE)
    second: Mapping[str, Any] = field(default_factory=lambda: REPAIRED)

    def title(self, lang: str) -> str:
        return _words(lang)[self.name][0]

    def see(self, lang: str) -> str:
        """One sentence: what to look at."""
        return _words(lang)[self.name][1]

    def traces(self) -> tuple[Trace, Trace]:
        sources = self.sources()
        return build(sources, **{**self.both, **self.first}), build(sources, **{**self.both, **self.second})


@cache
def _words(lang: str) -> Mapping[str, tuple[str, str]]:
    found: Mapping[str, tuple[str, str]] = json.loads(
        files(__package__).joinpath(f"{lang}.json").read_text(encoding="utf-8")
    )
    return found


# --- sources


def made(name: str, messages: Iterable[Message], **more: Any) -> Callable[[], Scenario]:
    """Sources of a demonstration; `more` are further fields of a scenario file."""
    body = {"schema": "ctxcore.scenario/1", "name": name, "messages": list(messages), **more}
    return cache(lambda: Scenario.from_json(body))


def shipped(name: str) -> Callable[[], Scenario]:
    return cache(lambda: Scenario.load(str(files("ctxcore") / "scenarios" / f"{name}.json")))


def said(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def called(key: str, tool: str, result: str) -> list[Message]:
    call = {"id": key, "type": "function", "function": {"name": tool, "arguments": "{}"}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": key, "content": result},
    ]


def prose(sentences: int, about: str = "harbour") -> str:
    """About nine tokens a sentence, each of them different."""
    return " ".join(f"The {about} log of day {n + 1} counts {7 * n + 3} boats." for n in range(sentences))


def talk(turns: int, sentences: int = 6) -> list[Message]:
    pairs = (
        (said("user", prose(sentences, f"quay {n}")), said("assistant", prose(sentences, f"pier {n}")))
        for n in range(turns)
    )
    return [message for pair in pairs for message in pair]


# --- what a fault is known by


def rules(trace: Trace) -> set[str]:
    decided = {record.rule if hasattr(record, "rule") else record.decision.rule for record in _records(trace)}
    return decided | {problem.rule for snapshot in trace.snapshots for problem in trace.problems_of(snapshot)}


def _records(trace: Trace) -> Iterable[Any]:
    return (record for snapshot in trace.snapshots for record in snapshot.payload.records)


def by(rule: str) -> Callable[[Trace, Trace], bool]:
    """Only the first run decides or reports by this rule."""
    return lambda first, second: rule in rules(first) and rule not in rules(second)


def keeps(trace: Trace, text: str) -> bool:
    return trace.story(text).fate == "kept"


def lost(text: str) -> Callable[[Trace, Trace], bool]:
    """Lost in the first run, kept in the second."""
    return lambda first, second: not keeps(first, text) and keeps(second, text)


def refused(first: Trace, second: Trace) -> bool:
    """A provider would refuse the first payload, and take the second."""
    return [bool(_errors(trace)) for trace in (first, second)] == [True, False]


def _errors(trace: Trace) -> list[Any]:
    return [one for one in lint(trace.messages, trace.tools) if one.severity == "error"]


def overflows(first: Trace, second: Trace) -> bool:
    return not first.fits and second.fits


def message_of(trace: Trace, item: str) -> int:
    """Index of the message that holds an item; -1 where none does."""
    return next((span.message for span in trace.spans if span.item == item), -1)
