"""The facts of one text, each with its place and with a key that is the same for two ways to write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ctxcore.auditing.patterns import FACT, FOLD, MONTHS, NUMERALS
from ctxcore.compressing.sentences import sentences

_DIGITS = {numeral: at for at, numeral in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "billion": 1e9, "trillion": 1e12} | {
    one: float(power) for one, power in _POWERS.items()
}
_VALUE = re.compile(r"\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)
_COMMON_WORDS = """
The A An In On At If It I We They He She This That These Those No Not Yes But And Or For From With So As To When While
What Which Who How Why Where There Here Then Thus Note Please See Use You Your Our His Her Its
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
"""
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Fact:
    """`start`, `end`: places in the text. `key`: without kind, spelling and thousands separators."""

    kind: str
    text: str
    start: int
    end: int
    key: str


@lru_cache(maxsize=512)
def facts_of(text: str) -> tuple[Fact, ...]:
    """In their order; the first word of a sentence is no name, as everybody's is capitalised."""
    plain = text.translate(FOLD)
    starts = _sentence_starts(text)
    found = []
    for match in FACT.finditer(plain):
        kind = str(match.lastgroup)
        start, end = match.start(), match.start() + len(match[0].rstrip(".,;:"))
        if kind == "mark":
            continue
        if kind == "name":
            start = _name_start(plain, start, end, start in starts)
            if start >= end:
                continue
        found.append(Fact(kind, text[start:end], start, end, key_of(kind, plain[start:end])))
    return tuple(found)


def runs_of(text: str) -> frozenset[str]:
    """All runs of digits, with a comma as an end and as a thousands separator: what a table or a folded log keeps of a
    date that it takes apart, and of numbers that it puts side by side."""
    smooth = text.translate(FOLD)
    return frozenset((*_NUMBER.findall(smooth), *_NUMBER.findall(smooth.replace(",", ""))))


def is_within(fact: Fact, runs: frozenset[str]) -> bool:
    """Whether all its digits stand there, read in either way; False for a fact without digits."""
    smooth = fact.text.translate(FOLD)
    both = (_NUMBER.findall(smooth), _NUMBER.findall(smooth.replace(",", "")))
    return bool(both[0]) and any(runs.issuperset(own) for own in both)


def key_of(kind: str, text: str) -> str:
    if kind == "num":
        return _number(text)
    if kind == "zhnum":
        return f"{_chinese(''.join(one for one in text if one in NUMERALS)):.15g}"
    if kind == "date":
        return "/".join(str(int(part)) for part in _NUMBER.findall(_with_months(text)))
    return text.casefold().rstrip("/.")


def _number(text: str) -> str:
    found = _VALUE.search(text)
    if found is None:
        return text
    value = float(found[0].replace(",", ""))
    for unit in re.findall(r"[A-Za-z]+|[百千万亿]", text[found.end() :]):
        value *= _SCALES.get(unit.lower(), 1.0)
    return f"{value:.15g}{'%' if text.endswith('%') else ''}"


def _chinese(numerals: str) -> float:
    """三百二十万 = 3,200,000; 二〇二四 = 2024."""
    if not any(one in _POWERS for one in numerals):
        return float("".join(str(_DIGITS[one]) for one in numerals) or 0)
    total = section = digit = 0.0
    for one in numerals:
        power = _POWERS.get(one)
        if power is None:
            digit = _DIGITS[one]
        elif power < 10_000:
            section, digit = section + (digit or 1) * power, 0.0
        else:
            total, section, digit = (total + section + digit or 1) * power, 0.0, 0.0
    return total + section + digit


def _with_months(text: str) -> str:
    """May 3, 2024 as 2024 5 3."""
    name = re.search("[A-Za-z]{3}", text)
    if name is None or name[0].lower() not in MONTHS:
        return text
    parts = sorted(_NUMBER.findall(text), key=len, reverse=True)
    month = str(MONTHS.index(name[0].lower()) + 1)
    return f"{parts[0]} {month} {' '.join(parts[1:])}" if len(parts[0]) == 4 else f"{month} {' '.join(parts)}"


def _name_start(text: str, start: int, end: int, leads: bool) -> int:
    """Where the name begins: behind articles and the like, and behind a sentence's first word if it stands alone."""
    while start < end:
        word = re.match(r"[A-Za-z]+[ -]?", text[start:end])
        if word is None or word[0].rstrip(" -") not in _COMMON:
            break
        start, leads = start + word.end(), False
    return end if leads and not re.search("[ -]", text[start:end]) else start


def _sentence_starts(text: str) -> frozenset[int]:
    found, at = set(), 0
    for sentence in sentences(text):
        bare = re.match(r"[\s\-*•#>|\d.)\"“(]*(?:[\w .\[\]-]{1,30}: +)?", sentence, re.ASCII)
        found.add(at + (bare.end() if bare else 0))
        at += len(sentence)
    return frozenset(found)
