"""A scenario: the raw inputs as the user gave them. No stage changes it; an edit makes another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ctxcore.importing.ids import Ids, carried, check_unique, given_ids
from ctxcore.importing.plain import Copier
from ctxcore.importing.wire import kept_messages, kept_tools
from ctxcore.reading import is_media

SCHEMA = "ctxcore.scenario/1"
RECORDS = {"documents": "doc", "tool_results": "tool", "notes": "note", "memory": "memory", "profile": "profile"}


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A document, a tool result that answers no call, a note, a memory, a line of the profile, or the state."""

    id: str  # "" until the scenario gives it one
    text: str
    title: str = ""  # of a tool result: the tool
    score: float | None = None  # on the scale of the retriever that found it
    recent: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)  # fields of the file that mean nothing here


@dataclass(frozen=True, eq=False)
class Scenario:
    """Made by the class methods below, which copy what they are given; its values are never changed."""

    name: str = ""
    messages: tuple[Mapping[str, Any], ...] = ()  # OpenAI chat; the last one that the user asked is the question
    ids: tuple[str, ...] = ()  # one a message
    tools: tuple[Mapping[str, Any], ...] = ()
    documents: tuple[Record, ...] = ()
    tool_results: tuple[Record, ...] = ()
    notes: tuple[Record, ...] = ()
    memory: tuple[Record, ...] = ()
    profile: tuple[Record, ...] = ()
    state: Record | None = None
    pinned: tuple[str, ...] = ()  # ids
    unasked: tuple[str, ...] = ()  # ids of messages that are sent as the user's and that nobody asked: output, notes
    settings: Mapping[str, Any] = field(default_factory=dict)
    title: Mapping[str, str] = field(default_factory=dict)  # by language
    about: Mapping[str, str] = field(default_factory=dict)
    must_keep: tuple[str, ...] = ()
    format: str = "scenario"
    warnings: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)  # top-level fields that mean nothing here
    issued: Mapping[str, int] = field(default_factory=dict)  # the highest number ever given, by kind of id

    @classmethod
    def from_messages(
        cls, messages: Sequence[Any], *, tools: Sequence[Any] = (), name: str = "", is_kept: bool = False, **more: Any
    ) -> Scenario:
        """`more`: further fields of a scenario. `is_kept`: `kept_messages` checked and copied the messages already."""
        given: dict[str, Any] = {"format": "messages", **more, "name": name, "messages": messages, "tools": tools}
        return cls(**given)._settled(kept=messages if is_kept else ())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Scenario:
        """Reads `ctxcore.scenario/1` and its short forms (docs/scenario.md)."""
        from ctxcore.importing.scenario_file import read  # here, not above: it makes scenarios

        return read(data)

    @classmethod
    def load(cls, source: str | Path | bytes) -> Scenario:
        """A path, "-" for standard input, or the text of a file (bytes, several lines, or JSON)."""
        from ctxcore import importing  # here, not above: it makes scenarios

        if isinstance(source, bytes) or (isinstance(source, str) and _is_text(source)):
            return importing.loads(source)
        return importing.load(source)

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads back as the same scenario, unknown fields included."""
        from ctxcore.importing.scenario_file import written

        return written(self)

    @cached_property
    def revision(self) -> str:
        """Changes with any content, setting or id, and with nothing else. 12 hex digits."""
        from ctxcore.importing.scenario_file import lent

        text = json.dumps(lent(self), ensure_ascii=False, separators=(",", ":"))  # the order of fields counts
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @cached_property
    def asked(self) -> int | None:
        """Position of the question: the last message by the user that he asked."""
        pairs = zip(self.messages, self.ids, strict=True)
        asked = [at for at, (one, key) in enumerate(pairs) if one["role"] == "user" and key not in self.unasked]
        return asked[-1] if asked else None

    @cached_property
    def has_media(self) -> bool:
        """Whether any message holds a picture, a sound or a file."""
        contents = (message.get("content") for message in self.messages)
        return any(is_media(part) for content in contents if isinstance(content, list) for part in content)

    @property
    def response_format(self) -> Mapping[str, Any] | None:
        """What a request asks of the shape of its answer, in OpenAI's words."""
        given = self.extra.get("response_format")
        return given if isinstance(given, Mapping) else None

    @cached_property
    def form(self) -> str:
        """The same as the model reads it: written once, counted with each build."""
        from ctxcore.counting.form import written_form  # here, not above: only requests have one
        from ctxcore.wire.chat import chat_form

        return written_form(form) if (form := chat_form(self.response_format)) else ""

    def edited(self, **changes: Any) -> Scenario:
        """This scenario with some fields changed. What stays keeps its id; new messages and records get fresh ones.

        Records with the id "" are new. Pass `ids` with `messages` to say which is which, "" for new ones.
        """
        if "messages" in changes:
            changes = {"ids": (), **changes}
        return replace(self, **changes)._settled(self)

    def with_query(self, text: str) -> Scenario:
        """Asks `text`: a new message by the user, unless the last one by the user says the same."""
        if not text.strip() or (self.asked is not None and _said(self.messages[self.asked]) == text):
            return self
        return self.edited(messages=(*self.messages, {"role": "user", "content": text}))

    def with_documents(self, records: Iterable[Record]) -> Scenario:
        """Adds documents. A record whose id is taken gets a fresh one."""
        taken, added = {name for name, _ in self.places()}, []
        for record in records:
            added.append(replace(record, id="") if record.id in taken else record)
            taken.add(record.id)
        return self.edited(documents=(*self.documents, *added))

    def records(self) -> Iterator[Record]:
        for kind in RECORDS:
            yield from getattr(self, kind)
        if self.state is not None:
            yield self.state

    def places(self) -> Iterator[tuple[str, str]]:
        """Every id with where it stands, in the order of the file."""
        yield from ((name, f"messages[{index}]") for index, name in enumerate(self.ids))
        for kind in RECORDS:
            yield from ((record.id, f"{kind}[{index}]") for index, record in enumerate(getattr(self, kind)))
        if self.state is not None:
            yield self.state.id, "state"

    def _settled(self, before: Scenario | None = None, kept: Sequence[Any] = ()) -> Scenario:
        """Copies and checks what is new since `before`, and gives every message and record an id."""
        old, old_ids = (before.messages, before.ids) if before else ((), ())
        copier, found = Copier(), kept_messages(self.messages, known=map(id, (*old, *kept)))
        ids = given_ids(copier.copy(self.ids), len(self.messages), found.places)
        ids = ids or carried(old, old_ids, found.messages)
        maker = Ids(self.issued, (*ids, *(record.id for record in self.records())))
        numbered = enumerate(zip(ids, found.messages, strict=True), start=1)
        named = tuple(name or maker.for_message(message, at) for at, (name, message) in numbered)
        known = frozenset(map(id, before.records())) if before else frozenset()
        new: dict[str, Any] = {
            kind: tuple(r if id(r) in known else _record(r, prefix, maker, copier) for r in getattr(self, kind))
            for kind, prefix in RECORDS.items()
        }
        state = _record(self.state, "state", maker, copier) if self.state else None
        tools, refused = kept_tools(self.tools, copier)
        plain, many = ("name", "settings", "title", "about", "extra"), ("pinned", "unasked", "must_keep", "warnings")
        new |= {name: copier.copy(getattr(self, name)) for name in plain}
        new |= {name: tuple(copier.copy(getattr(self, name))) for name in many}
        told = (*new["warnings"], *found.warnings, *refused, *copier.take(new["name"] or "scenario"))
        settled = replace(self, messages=found.messages, ids=named, tools=tools, state=state, **new)
        check_unique(settled.places())
        return replace(settled, warnings=tuple(dict.fromkeys(told)), issued=maker.issued)


def _is_text(source: str) -> bool:
    return "\n" in source or source.lstrip()[:1] in ("{", "[")


def _record(record: Record, prefix: str, maker: Ids, copier: Copier) -> Record:
    """With an id, and as a copy."""
    copied = {name: copier.copy(getattr(record, name)) for name in ("text", "title", "extra")}
    return replace(record, id=copier.copy(record.id) or maker.fresh(prefix), **copied)


def _said(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""
