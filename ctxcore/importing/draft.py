"""A conversation while it is read: messages with their places, what was left out, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ctxcore.errors import InputError
from ctxcore.importing.wire import kept_messages
from ctxcore.scenario import Record, Scenario

MOST_NAMED = 5  # places that a warning names


@dataclass(slots=True)
class Draft:
    """Filled by the reader of one format. Messages are in OpenAI's chat shape, media of results included."""

    messages: list[dict[str, Any]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # of each message in the file
    tools: list[Any] = field(default_factory=list)
    documents: list[Record] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    asides: list[dict[str, Any]] = field(default_factory=list)  # messages sent as the user's that nobody asked
    read: int = 0  # records of the file that belong to this conversation
    records: str = "records"  # what they are called
    skipped: Counter[str] = field(default_factory=Counter)  # reason → how many
    noted: dict[str, list[str]] = field(default_factory=dict)  # what was repaired or is not shown → where

    def say(self, message: dict[str, Any], place: str) -> dict[str, Any]:
        self.messages.append(message)
        self.places.append(place)
        return message

    def aside(self, message: dict[str, Any], place: str) -> None:
        """A message that is sent in the user's role and is no question: output of a command, a note, a summary."""
        self.asides.append(self.say(message, place))

    def skip(self, reason: str, count: int = 1) -> None:
        if count:
            self.skipped[reason] += count

    def note(self, what: str, place: str) -> None:
        """Something that a reader should know, said once with its places."""
        self.noted.setdefault(what, []).append(place)

    def told(self) -> tuple[str, ...]:
        """The warnings: what was noted, then what was read, kept and skipped where that is not the same."""
        lines = list(self.warnings)
        for what, places in self.noted.items():
            more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
            lines.append(f"{', '.join(places[:MOST_NAMED])}{more}: {what}")
        lost = sum(self.skipped.values())
        if lost or len(self.messages) != self.read:
            why = "; ".join(f"{count} × {reason}" for reason, count in self.skipped.most_common())
            read = f"{self.read:,} {self.records} read, {len(self.messages):,} messages kept, {lost:,} skipped"
            lines.append(f"{read}{f': {why}' if why else ''}.")
        return tuple(lines)

    def scenario(self, name: str, format_name: str) -> Scenario:
        """Raises InputError where nothing was found: with what was read, and why it gave nothing."""
        told = self.told()
        if not self.messages and not self.documents and not self.tools:
            if told:
                raise InputError("no-message-why", format=format_name, why=" ".join(told))
            raise InputError("no-message", format=format_name)
        kept = kept_messages(self.messages, where=self.places.__getitem__)
        scenario = Scenario.from_messages(
            kept.messages,
            is_kept=True,
            tools=[tool for tool in self.tools if isinstance(tool, Mapping)],
            documents=tuple(self.documents),
            name=name,
            format=format_name,
            settings=self.settings,
            warnings=(*told, *kept.warnings),
            extra=self.extra,
        )
        asides = {id(one) for one in self.asides}
        pairs = zip(scenario.ids, kept.places, strict=True)
        unasked = tuple(key for key, at in pairs if id(self.messages[at]) in asides)
        return replace(scenario, unasked=unasked) if unasked else scenario
