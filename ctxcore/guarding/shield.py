"""Placeholders for what is private in one build: the same value has the same one, and a reply can be read back.

The values live in this object, in memory, and nowhere else: it is not written into traces, ledgers or stores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from ctxcore.guarding.finding import Finder
from ctxcore.guarding.match import Match
from ctxcore.item import Call, Item, Media, Part, Result, Text, shown

_PLACEHOLDER = re.compile(r"<[A-Z]+_\d+>")


class Shield:
    """`hidden`: the kinds that get placeholders. `inputs` gives the texts that came in: a placeholder that one of them
    holds already is never given."""

    def __init__(self, finder: Finder, hidden: Iterable[str], inputs: Callable[[], Iterable[str]] = tuple) -> None:
        self.finder, self.hidden, self._inputs = finder, frozenset(hidden), inputs
        self._names: dict[tuple[str, str], str] = {}
        self._values: dict[str, str] = {}
        self._last: dict[str, int] = {}
        self._taken: set[str] | None = None

    def __repr__(self) -> str:
        return f"Shield({len(self._values)} placeholders)"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("A shield lives in memory only: it is neither pickled nor copied.")

    def __deepcopy__(self, memo: Any) -> Shield:
        return self

    @property
    def placeholders(self) -> Mapping[str, str]:
        """Placeholder → value."""
        return dict(self._values)

    def restore(self, reply: str) -> str:
        """A model's reply with the values again where it names placeholders."""
        return _PLACEHOLDER.sub(lambda found: self._values.get(found[0], found[0]), reply)

    def matches(self, text: str) -> tuple[Match, ...]:
        return tuple(match for match in self.finder.find(text) if match.kind in self.hidden)

    def text(self, text: str) -> str:
        out, at = "", 0
        for match in self.matches(text):
            out += text[at : match.start] + self._placeholder(match.kind, text[match.start : match.end])
            at = match.end
        return out + text[at:] if at else text

    def arguments(self, arguments: str) -> str:
        """JSON stays JSON: a number that is private becomes a text."""
        try:
            before = json.loads(arguments)
        except (ValueError, RecursionError):
            return self.text(arguments)
        after = self._value(before)
        plain = json.dumps(after, ensure_ascii=False)
        told = self.text(plain)  # a password is one by what stands before it
        if told != plain and _is_json(told):
            return told
        return arguments if after == before else plain

    def found(self, item: Item) -> tuple[Match, ...]:
        """All that the finder finds, also of kinds that are not hidden; in arguments, behind JSON's escapes too."""
        return self.finder.find(item.said if item.is_media else "\n".join(_said(part) for part in item.parts))

    def part(self, part: Part) -> Part:
        match part:
            case Text(text):
                return Text(self.text(text))
            case Call():
                return replace(part, arguments=self.arguments(part.arguments))
            case Result():
                return replace(part, content=self.text(part.content))
            case Media():
                return replace(part, said=self.text(part.said)) if part.said else part

    def item(self, item: Item) -> Item:
        """As an item may be shown where values must not be: its tokens stay those of the original."""
        parts = tuple(self.part(part) for part in item.parts)
        return self.title(item if parts == item.parts else replace(item, parts=parts))

    def title(self, item: Item) -> Item:
        """The item with nothing private in its name."""
        name = self.text(item.name) if item.name else ""
        return item if name == item.name else replace(item, name=name)

    def _value(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(key): self._value(one) for key, one in value.items()}
            case list():
                return [self._value(one) for one in value]
            case int() | float() if not isinstance(value, bool) and self.matches(str(value)):
                return self.text(str(value))
        return value

    def _placeholder(self, kind: str, value: str) -> str:
        if (known := self._names.get((kind, value))) is not None:
            return known
        if self._taken is None:
            self._taken = {name for text in self._inputs() for name in _PLACEHOLDER.findall(text)}
        number = self._last.get(kind, 0) + 1
        while (name := f"<{kind.upper()}_{number}>") in self._taken or name in self._values:
            number += 1
        self._names[kind, value], self._last[kind] = name, number
        self._values[name] = value
        return name


def _said(part: Part) -> str:
    if isinstance(part, Call):
        try:
            return f"{part.name}({json.dumps(json.loads(part.arguments), ensure_ascii=False)})"
        except (ValueError, RecursionError):
            pass
    return shown(part)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
