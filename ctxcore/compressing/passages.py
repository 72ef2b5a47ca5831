"""A text as an extract sees it: its sentences, what each is worth when no query says so, and which repeat another."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from math import inf

from ctxcore.compressing.sentences import sentences
from ctxcore.memo import Memo
from ctxcore.retrieving.terms import stem, terms

# Numbers and dates; a capital inside the sentence (a name); quoted titles; Chinese numerals of two characters or more.
_FACT = re.compile(r"[0-9][0-9.,:/%-]*| [A-Z]|[《「“]|[零一二三四五六七八九十百千万亿两]{2,}")

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
    lengths: tuple[int, ...]  # terms in each sentence
    ids: array[int]  # hashes of all terms, one sentence after the other


_read: Memo[str, Passage] = Memo(64_000_000)


def passage(text: str) -> Passage:
    """Remembered by content."""
    found = _read.young.get(text) or _read.get(text, len(text))
    if found is None:
        found = _parse(text)
        _read.put(text, found, len(text))
    return found


def _parse(text: str) -> Passage:
    found = sentences(text)
    worth, keys, lengths, ids = [], [], [], array("q")
    for sentence in found:
        words = terms(sentence)
        worth.append(_worth(sentence, words))
        keys.append(hash(tuple(words)) if words else hash(sentence.strip()))
        lengths.append(len(words))
        ids.extend(map(hash, words))
    return Passage(tuple(found), tuple(worth), tuple(keys), tuple(lengths), ids)


def _worth(sentence: str, words: list[str]) -> float:
    """Facts by length, so that a row of numbers beats a long sentence with one; decisions and open questions more."""
    bare = sentence.strip()
    if not words:
        return -1.0 if bare else -inf
    worth = min(0.5, 6 * len(_FACT.findall(bare)) / (len(bare) + 20))
    if not _DECIDED.isdisjoint(words):
        worth += 0.4
    if bare.endswith(("?", "？")) or not _OPEN.isdisjoint(words):
        worth += 0.2
    return min(1.0, worth)
