"""Edits of a scenario as pure functions: each gives another one, which shares with the first what was not edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ctxcore.reading import pair_calls
from ctxcore.scenario import Record, Scenario

Message = Mapping[str, Any]
SYSTEM_ROLES = ("system", "developer")


def question_at(scenario: Scenario) -> int | None:
    """Position of the last message that the user asked."""
    return scenario.asked


def system_at(scenario: Scenario) -> int | None:
    """Position of the system prompt: the first message, if it is one."""
    leads = scenario.messages[:1] and scenario.messages[0]["role"] in SYSTEM_ROLES
    return 0 if leads else None


def texts_of(message: Message) -> tuple[str, ...]:
    """The texts of a message that can be edited: its content, or each text part of it."""
    content = message.get("content")
    if isinstance(content, list | tuple):
        return tuple(part["text"] for part in content if _is_text(part))
    return (content or "",)


def with_text(message: Message, text: str, at: int = 0) -> dict[str, Any]:
    """`at` counts the texts of `texts_of`; images and other parts stay where they are."""
    content = message.get("content")
    if not isinstance(content, list | tuple):
        return {**message, "content": text}
    places = [place for place, part in enumerate(content) if _is_text(part)]
    if not places:  # a picture alone gets its words
        return {**message, "content": [{"type": "text", "text": text}, *content]}
    place = places[at]
    return {**message, "content": [*content[:place], {**content[place], "text": text}, *content[place + 1 :]]}


def fixed_role(message: Message) -> bool:
    """Whether another role would make the message invalid: a call, a result, a picture."""
    return message["role"] == "tool" or bool(message.get("tool_calls")) or isinstance(message.get("content"), list)


def message_changed(scenario: Scenario, at: int, message: Message) -> Scenario:
    messages = (*scenario.messages[:at], message, *scenario.messages[at + 1 :])
    return scenario.edited(messages=messages, ids=scenario.ids)


def group_of(scenario: Scenario, at: int) -> tuple[int, ...]:
    """Positions of the message that calls tools and of all results of its calls; one alone is its own group."""
    called = {result: call for result, (call, _) in pair_calls(scenario.messages).items()}
    caller = called.get(at, at)
    return (caller, *(result for result, call in called.items() if call == caller))


def message_removed(scenario: Scenario, *places: int) -> Scenario:
    """Without the messages at these positions."""
    kept = [at for at in range(len(scenario.messages)) if at not in places]
    gone = {scenario.ids[at] for at in places}
    return scenario.edited(
        messages=tuple(scenario.messages[at] for at in kept),
        ids=tuple(scenario.ids[at] for at in kept),
        pinned=tuple(pin for pin in scenario.pinned if pin not in gone),
    )


def message_added(scenario: Scenario, message: Message, at: int) -> Scenario:
    """The new message gets a fresh id and stands at position `at`."""
    messages, ids = list(scenario.messages), list(scenario.ids)
    messages.insert(at, message)
    ids.insert(at, "")
    return scenario.edited(messages=tuple(messages), ids=tuple(ids))


def system_said(scenario: Scenario, text: str) -> Scenario:
    """Another system prompt; none where the text is empty."""
    at = system_at(scenario)
    if at is None:
        return message_added(scenario, {"role": "system", "content": text}, 0) if text else scenario
    return message_changed(scenario, at, with_text(scenario.messages[at], text))


def asked(scenario: Scenario, text: str) -> Scenario:
    """Another question, in the place of the one there is."""
    at = question_at(scenario)
    if at is None:
        return message_added(scenario, {"role": "user", "content": text}, len(scenario.messages))
    return message_changed(scenario, at, with_text(scenario.messages[at], text))


def record_changed(scenario: Scenario, kind: str, at: int, **changes: Any) -> Scenario:
    """`kind` is the field of the scenario, such as `documents`."""
    records: tuple[Record, ...] = getattr(scenario, kind)
    return scenario.edited(**{kind: (*records[:at], replace(records[at], **changes), *records[at + 1 :])})


def record_removed(scenario: Scenario, kind: str, at: int) -> Scenario:
    records: tuple[Record, ...] = getattr(scenario, kind)
    pinned = _without(scenario, records[at].id)
    return scenario.edited(**{kind: (*records[:at], *records[at + 1 :])}, pinned=pinned)


def record_added(scenario: Scenario, kind: str, record: Record) -> Scenario:
    return scenario.edited(**{kind: (*getattr(scenario, kind), record)})


def state_said(scenario: Scenario, text: str) -> Scenario:
    """Another task state; none where the text is empty."""
    if not text:
        return scenario.edited(state=None)
    known = scenario.state or Record("", "")
    return scenario.edited(state=replace(known, text=text))


def pinned(scenario: Scenario, name: str, pin: bool) -> Scenario:
    """Pins the item with the id `name`, or lets it go."""
    return scenario.edited(pinned=(*_without(scenario, name), name) if pin else _without(scenario, name))


def _without(scenario: Scenario, name: str) -> tuple[str, ...]:
    return tuple(pin for pin in scenario.pinned if pin != name)


def _is_text(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)
