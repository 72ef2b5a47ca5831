"""The built-in compressor: keeps the sentences that serve the query, word for word. No model, no network.

Kept sentences stand in their order, `[…]` where something is left out between two of them; a cut one ends in `…`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import ClassVar

from ctxcore.compressing.passages import Passage, passage
from ctxcore.fingerprint import Fingerprinted
from ctxcore.retrieving.terms import terms
from ctxcore.services import Counter

GAP = "[…]"
ELLIPSIS = "…"
PRIOR = 0.15  # weight of a sentence's own worth beside its match with the query, which is 1 for the best
PATIENCE = 64  # sentences in a row that do not fit: what room is left is not worth more search

_IN_WORD = re.compile(r"[0-9A-Za-z_.,%-]")


@dataclass(frozen=True)
class Extractive(Fingerprinted):
    """BM25 of each sentence and a share of its neighbours' score: an answer often follows the sentence that matches."""

    trusted: ClassVar[bool] = True
    neighbour: float = 0.35
    k1: float = 1.2
    b: float = 0.75

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter) -> str:
        """A text that fits is returned as it is. "" only where not even the beginning of a sentence fits."""
        if max_tokens <= 0:
            return ""
        if counter.count(text) <= max_tokens:
            return text
        read = passage(text)
        order = _ranked(text, query, self)
        if order and counter.count(read.sentences[order[0]].strip()) <= max_tokens:
            kept = _fill(read, order, max_tokens, counter)
            if kept:
                return kept
        cuts = (cut_at_word(read.sentences[at].strip(), max_tokens, counter) for at in order)
        return next(filter(None, cuts), "")

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        """Every line ends in a newline. Quick for the same texts again, and for any number of the first of them."""
        from ctxcore.compressing.digest import digest  # needs numpy

        return digest(texts, query, max_tokens, counter, self)


def cut_at_word(sentence: str, max_tokens: int, counter: Counter) -> str:
    """The beginning of `sentence` that fits, an ellipsis if there is room. A word is cut only if it stands alone."""
    for mark in (ELLIPSIS, ""):
        for room in range(max_tokens - (counter.count(mark) if mark else 0), 0, -1):
            head = _whole_words(sentence, counter.cut(sentence, room)).rstrip()
            if head and counter.count(head + mark) <= max_tokens:
                return head + mark
    return ""


def _whole_words(sentence: str, head: str) -> str:
    if head and _IN_WORD.match(sentence, len(head)):
        shorter = head
        while shorter and _IN_WORD.match(shorter[-1]):
            shorter = shorter[:-1]
        return shorter if shorter.strip() else head
    return head


@lru_cache(maxsize=1_024)
def _ranked(text: str, query: str, options: Extractive) -> tuple[int, ...]:
    """Sentences, best first; those that are only white space are left out."""
    read = passage(text)
    matches = _matches(read, query, options)
    best = max(matches, default=0.0)
    if best > 0:
        score = [match / best + PRIOR * worth for match, worth in zip(matches, read.worth, strict=True)]
    else:  # nothing to go by but the text: facts, and the lead
        score = [worth + 0.5 / (1 + at) for at, worth in enumerate(read.worth)]
    return tuple(sorted((at for at, one in enumerate(score) if one > -inf), key=lambda at: -score[at]))


def _matches(read: Passage, query: str, options: Extractive) -> list[float]:
    wanted = terms(query)
    if not wanted:
        return []
    from ctxcore.retrieving.retrieval import Index

    asked = frozenset(wanted)  # the index is for this query: other words count by number only
    words = [[word if word in asked else "" for word in terms(sentence)] for sentence in read.sentences]
    plain = Index(words, options.k1, options.b).scores(wanted).tolist()
    around = [0.0, *plain, 0.0]
    return [score + options.neighbour * (around[at] + around[at + 2]) for at, score in enumerate(plain)]


def _fill(read: Passage, order: Sequence[int], max_tokens: int, counter: Counter) -> str:
    gap = counter.count(f" {GAP} ")
    taken: dict[int, None] = {}  # in the order they were taken
    said: set[int] = set()
    for _ in range(2):  # once more, as the counts of pieces add up to a little more than the whole
        left, misfits = max_tokens - counter.count(_joined(read, taken)), 0
        for at in order:
            if at in taken or read.keys[at] in said:
                continue
            gaps = 1 - (at - 1 in taken) - (at + 1 in taken) if taken else 0
            cost = counter.count(read.sentences[at].rstrip(" ")) + gap * gaps
            if cost <= left:
                taken[at] = None
                said.add(read.keys[at])
                left, misfits = left - cost, 0
            elif (misfits := misfits + 1) == PATIENCE:
                break
    while taken and counter.count(_joined(read, taken)) > max_tokens:
        taken.popitem()
    return _joined(read, taken)


def _joined(read: Passage, taken: dict[int, None]) -> str:
    places = sorted(taken)
    out = []
    for at, following in pairwise([*places, -1]):
        sentence = read.sentences[at]
        if following not in (at + 1, -1):  # a gap between lines is a line
            sentence = sentence.rstrip() + (f"\n{GAP}\n" if sentence.endswith("\n") else f" {GAP} ")
        out.append(sentence)
    return "".join(out).strip("\n").rstrip()
