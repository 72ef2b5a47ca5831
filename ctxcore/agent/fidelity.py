"""What a shorter text must not lose: numbers, proper names, conclusions (article 3, c14)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ctxcore.compressing.sentences import sentences

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[0-9](?:[0-9.,]*[0-9])?\s?%?")
_WORD = re.compile(r"[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)*")
_QUOTED = re.compile(r"[《「“]([^》」”\n]{2,40})[》」”]")
_CONCLUDES = re.compile(
    r"\b(?:conclu(?:de|des|ded|sion|sions)|therefore|hence|in short|we recommend|the result is|turned out|overall)\b"
    r"|结论|因此|所以|总之|综上|建议",
    re.IGNORECASE,
)
_WORDS = (
    "The A An In On At If It I We They He She This That These Those No Not Yes But And Or For From With Thought Action"
)
_NO_NAMES = frozenset(_WORDS.split())
_LABELLED = re.compile(r"^\s*[\w .\[\]-]{1,40}: ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a text holds, in its order, each once. Numbers without thousands separators."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    conclusions: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.numbers, *self.names, *self.conclusions)


def facts_of(text: str) -> Facts:
    said = sentences(text)
    concluding = tuple(dict.fromkeys(" ".join(one.split()) for one in said if _CONCLUDES.search(one)))
    return Facts(tuple(dict.fromkeys(_numbers(text))), tuple(dict.fromkeys(_names(said))), concluding)


def lost(before: str, after: str) -> Facts:
    """The facts of `before` that `after` does not hold."""
    had, numbers = facts_of(before), set(_numbers(after))
    plain = " ".join(after.split())
    return Facts(
        tuple(number for number in had.numbers if number not in numbers),
        tuple(name for name in had.names if name not in plain),
        tuple(one for one in had.conclusions if one not in plain),
    )


def _numbers(text: str) -> list[str]:
    return ["".join(found.split()).replace(",", "") for found in _NUMBER.findall(text)]


def _names(said: list[str]) -> list[str]:
    """Capitalised words inside a sentence, and what Chinese marks or quotes set apart. The first word of a sentence is
    left out: everybody's is capitalised."""
    found: list[str] = []
    for one in said:
        label = _LABELLED.match(one)
        start = label.end() if label else len(one) - len(one.lstrip())
        for match in _WORD.finditer(one):
            words = match[0].split()[1 if match.start() <= start else 0 :]
            while words and words[0] in _NO_NAMES:
                words = words[1:]
            found += [" ".join(words)] if words else []
        found += _QUOTED.findall(one)
    return found
