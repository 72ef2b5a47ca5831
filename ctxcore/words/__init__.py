"""Sentences: a rule's code is its key, one template a language, facts fill it. Ids are never translated."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

LANGUAGES = ("en", "zh")
_VOID = "\0"  # a part of a list with nothing to count
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


@cache
def of_stages() -> Mapping[str, Mapping[str, str]]:
    """Stage → language → what it does."""
    return _read("stages")


@cache
def _scales() -> Mapping[str, Mapping[str, str]]:
    """Language → what a retriever's scale begins with → the scale in that language."""
    return _read("scales")


@cache
def report_words(lang: str) -> dict[str, str]:
    """The words of a report in one language: key → template."""
    return {key: words[lang] for key, words in _read("report").items()}


def _read(name: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((resources.files(__name__) / f"{name}.json").read_text("utf-8"))
    return found


def sentence(rule: str, facts: Mapping[str, Any], lang: str = "en") -> str:
    """The rule's sentence with the facts in it; a rule of somebody's own stage without a template shows its facts."""
    template = templates(lang).get(rule)
    if template is None:
        return f"{rule}: " + ", ".join(f"{name} {value}" for name, value in facts.items())
    if "scale" in facts and lang in _scales():
        scale = str(facts["scale"])
        facts = {**facts, "scale": _scales()[lang].get(scale.partition(":")[0], scale)}
    return fill(template, facts)
