"""A text as an extract sees it: its sentences, what each is worth when no query says so, and which repeat another."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from ctxcore.compressing.sentences import sentences
from ctxcore.memo import Memo
from ctxcore.retrieving.terms import stem, terms

# Numbers and dates; a capitalised word inside the sentence (a name); quoted titles; Chinese numerals of two characters
# or more; what is denied or forbidden. Coarse, as every sentence of a long conversation is read by it: an audit of one
# text looks closer (ctxcore/auditing).
_FACT = re.compile(
    r"[0-9][0-9.,:/%-]*| [A-Z][a-z0-9_]*|[《「“][^》」”]{0,20}|[零一二三四五六七八九十百千万亿两]{2,}"
    r"|\b(?:not|never|without|cannot)\b|n't\b|不[得要能可会是]|没有?|未|无法|禁止|切勿",
    re.ASCII,
)
# What a fact is worth that is not said elsewhere; SINGLE: a number of one digit.
NUMBER, SINGLE, NAME, QUOTED, DENIED = 3.0, 1.0, 1.0, 1.5, 3.0

_DIGITS = frozenset("0123456789零一二三四五六七八九十百千万亿两")
_DECIDED_WORDS = """
decide decided decision agree agreed must shall never always require required conclude conclusion confirm confirmed
choose chose chosen goal deadline forbidden
决定 必须 务必 不得 不能 禁止 结论 确定 确认 约定 同意 选定 目标 截止
"""
_OPEN_WORDS = "tbd todo pending unresolved undecided unclear 待定 待办 未决 未定 尚未 待确 悬而"
_DECIDED = frozenset(map(stem, _DECIDED_WORDS.split()))
_OPEN = frozenset(map(stem, _OPEN_WORDS.split()))


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Parallel tuples, one entry a sentence."""

    sentences: tuple[str, ...]
    worth: tuple[float, ...]  # 0–1; -1 without a term, -inf for white space
    keys: tuple[int, ...]  # equal keys: the same words in the same order
    facts: tuple[tuple[int, ...], ...]  # hashes; the same fact has the same one everywhere
    values: tuple[tuple[float, ...], ...]  # of each of these facts
    lengths: tuple[int, ...]  # terms in each sentence
    ids: array[int]  # hashes of all terms, one sentence after the other


_read: Memo[str, Passage] = Memo(64_000_000)


def passage(text: str) -> Passage:
    """Remembered by content."""
    found = _read.young.get(text) or _read.get(text, len(text))
    if found is None:
        found = passage_of(sentences(text))
        _read.put(text, found, len(text))
    return found


def passage_of(found: Sequence[str]) -> Passage:
    """These pieces as sentences."""
    worth, keys, facts, values, lengths, ids = [], [], [], [], [], array("q")
    for sentence in found:
        words = terms(sentence)
        said = _FACT.findall(sentence.strip())
        worth.append(_worth(sentence, words, len(said)))
        once = dict.fromkeys(said)
        facts.append(tuple(map(hash, once)))
        values.append(tuple(map(_value, once)))
        keys.append(hash(tuple(words)) if words else hash(sentence.strip()))
        lengths.append(len(words))
        ids.extend(map(hash, words))
    return Passage(tuple(found), tuple(worth), tuple(keys), tuple(facts), tuple(values), tuple(lengths), ids)


def _value(fact: str) -> float:
    first = fact[0]
    if first in _DIGITS:
        return NUMBER if len(fact) > 1 else SINGLE
    return NAME if first == " " else QUOTED if first in "《「“" else DENIED


def _worth(sentence: str, words: list[str], facts: int) -> float:
    """Facts by length, so that a row of numbers beats a long sentence with one; decisions and open questions more."""
    bare = sentence.strip()
    if not words:
        return -1.0 if bare else -inf
    worth = min(0.5, 6 * facts / (len(bare) + 20))
    if not _DECIDED.isdisjoint(words):
        worth += 0.4
    if bare.endswith(("?", "？")) or not _OPEN.isdisjoint(words):
        worth += 0.2
    return min(1.0, worth)
