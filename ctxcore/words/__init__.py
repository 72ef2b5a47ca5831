"""Sentences: a code is the key, one template a language, facts fill it. Ids are never translated.

Decisions, findings and problems: en.json and zh.json, by rule. Errors, and parts of other sentences: errors.json.
What lint says: lint.json.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any

LANGUAGES = ("en", "zh")
_VOID = "\0"  # a part of a list with nothing to count
_COMMA = {"en": ", ", "zh": "、"}
_BESIDE = re.compile(rf"(?:, | and |、){_VOID}|{_VOID}(?:, | and |、)?")


@cache
def templates(lang: str) -> Mapping[str, str]:
    """Rule → template of one language."""
    found: dict[str, str] = json.loads((resources.files(__name__) / f"{lang}.json").read_text("utf-8"))
    return found


class _Counting(Formatter):
    """`{count:item|items}` is "1 item" or "2 items"; a third form stands for 0, and an empty one leaves that out."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        one, many, *none = format_spec.split("|")
        if none and not value:
            return none[0] or _VOID
        written = f"{value:,}" if isinstance(value, int) else str(value)  # or written out already
        return f"{written} {one if written == '1' else many}"


def fill(template: str, facts: Mapping[str, Any]) -> str:
    """The template with the facts in it."""
    if "|" not in template:
        return template.format_map(facts)
    return _BESIDE.sub("", _Counting().vformat(template, (), facts))


class Phrase(str):
    """A sentence or a part of one, by its code: as a text it is the English one, `said` gives the others.

    Facts may be such texts themselves, and lists. A code that has no template is the sentence itself: those of
    somebody's own stage. Always one line, whatever text of a file it quotes.
    """

    code: str
    facts: Mapping[str, Any]

    def __new__(cls, code: str, /, **facts: Any) -> Phrase:
        told = super().__new__(cls, _told(code, facts, "en"))
        told.code, told.facts = code, facts
        return told

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.code,), dict(self.facts)

    def said(self, lang: str = "en") -> str:
        return _told(self.code, self.facts, lang)


def said(text: str, lang: str) -> str:
    """The text in that language, where it is one that can be said in it."""
    return text.said(lang) if isinstance(text, Phrase) else text


def _told(code: str, facts: Mapping[str, Any], lang: str) -> str:
    template = _errors().get(code)
    whole = fill(template[lang], _spoken(facts, lang)) if template else code
    return " ".join(whole.encode("utf-8", "replace").decode().splitlines())  # half a character cannot be shown


def _spoken(facts: Mapping[str, Any], lang: str) -> Mapping[str, Any]:
    """The facts with those in that language that can be said in it."""
    return {name: _in(value, lang) if isinstance(value, _SPOKEN) else value for name, value in facts.items()}


def _in(value: Any, lang: str) -> str:
    if isinstance(value, list | tuple):
        return _COMMA[lang].join(_in(one, lang) for one in value) or _errors()["none"][lang]
    return said(value, lang) if isinstance(value, str) else str(value)


_SPOKEN = (Phrase, list, tuple)
_TABLES: list[Traversable] = [resources.files(__name__) / "errors.json", resources.files(__name__) / "lint.json"]


def also_from(table: Traversable) -> None:
    """Errors of somebody else's, in the shape of errors.json: code → language → template."""
    _TABLES.append(table)
    _errors.cache_clear()


@cache
def _errors() -> Mapping[str, Mapping[str, str]]:
    return {code: words for table in _TABLES for code, words in json.loads(table.read_text("utf-8")).items()}


@cache
def of_stages() -> Mapping[str, Mapping[str, str]]:
    """Stage → language → what it does."""
    found: dict[str, dict[str, str]] = _read("stages")
    return found


@cache
def of_options() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """`stage.option` → label and about → language → words; what it is about in English stands at the field."""
    found: dict[str, dict[str, dict[str, str]]] = _read("options")
    return found


@cache
def _scales() -> Mapping[str, Mapping[str, str]]:
    """Language → what a retriever's scale begins with → the scale in that language."""
    found: dict[str, dict[str, str]] = _read("scales")
    return found


@cache
def report_words(lang: str) -> dict[str, str]:
    """The words of a report in one language: key → template."""
    return {key: words[lang] for key, words in _read("report").items()}


def _read(name: str) -> Any:
    return json.loads((resources.files(__name__) / f"{name}.json").read_text("utf-8"))


def sentence(rule: str, facts: Mapping[str, Any], lang: str = "en") -> str:
    """The rule's sentence with the facts in it; a rule of somebody's own stage without a template shows its facts."""
    template = templates(lang).get(rule)
    if template is None:
        return f"{rule}: " + ", ".join(f"{name} {value}" for name, value in facts.items())
    facts = _spoken(facts, lang)
    if "scale" in facts and lang in _scales():
        scale = str(facts["scale"])
        facts = {**facts, "scale": _scales()[lang].get(scale.partition(":")[0], scale)}
    return fill(template, facts)
