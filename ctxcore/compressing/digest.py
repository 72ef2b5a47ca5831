"""One block from a long conversation, at any budget within milliseconds.

What belongs to the texts is kept: lines, terms, counts. Document frequencies belong to the texts that were asked for,
so that a call gives the same block whatever was asked before it.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any

import numpy as np

from ctxcore.compressing.block import Block, Room
from ctxcore.compressing.coverage import covering, density
from ctxcore.compressing.extractive import Extractive, cut_at_word
from ctxcore.compressing.passages import passage
from ctxcore.compressing.picking import PATIENCE
from ctxcore.compressing.ranking import PRIOR
from ctxcore.retrieving.terms import terms
from ctxcore.services import Counter

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Postings = tuple[Ints, Ints, Ints, Floats]  # line, term, times; and how often the query has each term

KEPT = 4  # conversations in memory
QUERIES = 8  # a conversation
DENSEST = 256  # lines of a conversation whose facts may fill the block
GOAL = 0.5  # added to the first thing the user said: what the conversation is for

_recent: list[Conversation] = []
_lock = threading.Lock()


def digest(texts: Sequence[tuple[str, str]], query: str, max_tokens: int, counter: Counter, options: Extractive) -> str:
    """At most `max_tokens`, every line `label: sentence` with its newline."""
    if max_tokens <= 0 or not texts:
        return ""
    with _lock:
        talk = _conversation(list(texts))
        size = talk.ends[len(texts)]
        order = talk.ranked(size, query, options)
        taken = talk.fill(order, size, Room(max_tokens, int(options.focus * max_tokens), counter))
        if not taken and order:
            return talk.cut(order[0], max_tokens, counter)
        return "".join([talk.lines[at] for at in sorted(taken)])


def _conversation(texts: list[tuple[str, str]]) -> Conversation:
    for at, talk in enumerate(_recent):
        shared = min(len(talk.texts), len(texts))
        if talk.texts[:shared] == texts[:shared]:
            _recent.insert(0, _recent.pop(at))
            break
    else:
        _recent.insert(0, talk := Conversation())
        del _recent[KEPT:]
    talk.extend(texts[len(talk.texts) :])
    return talk


class Conversation:
    """Labelled texts as lines, one a sentence. Grows at its end; a shorter one is the first lines of it."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, str]] = []
        self.ends: list[int] = [0]  # lines before each text, and in all
        self.lines: list[str] = []
        self.facts: list[tuple[int, ...]] = []
        self.values: list[tuple[float, ...]] = []
        self.worth: list[float] = []
        self._keys: list[int] = []
        self._goal = -1  # a line
        self._costs: dict[str, list[int]] = {}  # by counter; -1 = not counted yet
        self._adds_up = True  # the counts of the lines are the count of the block
        self._worth: Floats = np.empty(0)
        self._density: Floats = np.empty(0)  # of the facts of each line, none of them said yet
        self._by_density: Ints | None = None
        self._lengths: Ints = np.empty(0, np.int64)
        self._ids: Ints = np.empty(0, np.int64)
        self._postings: dict[str, Postings] = {}
        self._order: tuple[object, list[int]] = ((), [])

    def extend(self, texts: Sequence[tuple[str, str]]) -> None:
        if not texts:
            return
        read = [passage(text) for _, text in texts]
        for (label, _), one in zip(texts, read, strict=True):
            if self._goal < 0 and one.sentences and ("user" in label.lower() or "用户" in label):
                self._goal = len(self.lines) + max(range(len(one.sentences[:3])), key=lambda at: len(one.sentences[at]))
            self.lines += [f"{label}: {sentence.strip()}\n" for sentence in one.sentences]
            self.ends.append(len(self.lines))
            self._keys += one.keys
            self.facts += one.facts
            self.values += one.values
            self.worth += one.worth
            # A line that starts with white space or a slash may share a token with the newline before it.
            self._adds_up &= label[:1].strip(" \t\r\n/") != ""
        self.texts += texts
        self._worth = np.array(self.worth)
        dense = [
            density(line, worth, values)
            for one in read
            for line, worth, values in zip(one.sentences, one.worth, one.values, strict=True)
        ]
        self._density, self._by_density = np.concatenate([self._density, dense]), None
        self._lengths = np.concatenate([self._lengths, *(np.array(one.lengths, np.int64) for one in read)])
        self._ids = np.concatenate([self._ids, *(np.frombuffer(one.ids, np.int64) for one in read)])
        self._postings.clear()

    @property
    def sentences(self) -> list[str]:
        return self.lines

    def ranked(self, size: int, query: str, options: Extractive) -> list[int]:
        """The first `size` lines, best first, without blank ones; ties in their order."""
        asked = (size, query, options)
        if self._order[0] != asked:
            score = PRIOR * self._worth[:size]
            matches = self.matches(size, query, options)
            best = matches.max(initial=0.0)
            if best > 0:
                score += matches / best
            if 0 <= self._goal < size:
                score[self._goal] += GOAL
            order = np.argsort(-score, kind="stable")
            self._order = (asked, order[np.isfinite(score[order])].tolist())
        return self._order[1]

    def matches(self, size: int, query: str, options: Extractive) -> Floats:
        """BM25 of each line against the query (as bm25s has it, method lucene), with the neighbours' share."""
        line, term, times, repeats = self._found(query)
        count = int(np.searchsorted(line, size))
        line, term, times = line[:count], term[:count], times[:count]
        if not count:
            return np.zeros(size)
        lengths = self._lengths[:size].astype(np.float64)
        having = np.bincount(term, minlength=len(repeats))
        rarity = repeats * np.log(1 + (size - having + 0.5) / (having + 0.5))
        damping = options.k1 * (1 - options.b + options.b * lengths[line] / lengths.mean())
        weights = rarity[term] * times / (times + damping)
        plain: Floats = np.bincount(line, weights=weights, minlength=size).astype(np.float64)
        smooth = plain.copy()
        smooth[1:] += options.neighbour * plain[:-1]
        smooth[:-1] += options.neighbour * plain[1:]
        return smooth

    def _found(self, query: str) -> Postings:
        """Where the words of the query stand, in the order of the lines."""
        if query not in self._postings:
            wanted = sorted(Tally(map(hash, terms(query))).items())
            ids: Ints = np.array([one for one, _ in wanted] or [0], np.int64)
            near = np.searchsorted(ids, self._ids).clip(max=len(ids) - 1)
            here = np.flatnonzero(ids[near] == self._ids) if wanted else np.empty(0, np.int64)
            line = np.repeat(np.arange(len(self._lengths)), self._lengths)[here]
            pairs, times = np.unique(line * len(ids) + near[here], return_counts=True)
            if len(self._postings) >= QUERIES:
                self._postings.clear()
            repeats = np.array([count for _, count in wanted] or [0], np.float64)
            self._postings[query] = (pairs // len(ids), pairs % len(ids), times, repeats)
        return self._postings[query]

    def fill(self, order: Sequence[int], size: int, room: Room) -> list[int]:
        """The lines for the block, best first: a share of the room by the order, then facts that those do not hold,
        then the order again. What repeats an earlier choice or does not fit is passed over."""
        block = Block(self.lines, self._keys, self._counts(room.counter), room)
        block.take(order, room.focus)
        said = {fact for at in block.taken for fact in self.facts[at]}
        for _ in covering(self, self._densest(size), said, lambda at: block.put(at, room.tokens)):
            if block.misfits >= PATIENCE:
                break
        block.take(order, room.tokens)
        return block.settled(self._adds_up and room.counter.exactness == "exact")

    def _densest(self, size: int) -> list[int]:
        """Of the first lines those with the most facts for their length: the others are not looked at."""
        if self._by_density is None:
            self._by_density = np.argsort(-self._density, kind="stable")
        found: list[int] = self._by_density[self._by_density < size][:DENSEST].tolist()
        return found

    def cut(self, line: int, max_tokens: int, counter: Counter) -> str:
        """The beginning of a line that does not fit whole; "" where that would be no more than its label."""
        label, _ = self.texts[bisect_right(self.ends, line) - 1]
        short = cut_at_word(self.lines[line].rstrip("\n"), max_tokens, counter)
        return short if len(short) > len(f"{label}: …") else ""

    def _counts(self, counter: Counter) -> list[int]:
        costs = self._costs.setdefault(counter.fingerprint, [])
        costs += [-1] * (len(self.lines) - len(costs))
        return costs
