"""The built-in compressor. No model, no network: first nothing is lost, then whole sentences go, word for word.

Structure first: JSON as tables, logs as patterns. Where that is not enough, one share of the room goes to the sentences
that serve the query, the rest to facts that those do not hold. Kept sentences stand in their order, `[…]` where
something is left out between two of them; a cut one ends in `…`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ctxcore.compressing.json_excerpt import excerpt
from ctxcore.compressing.json_text import json_value
from ctxcore.compressing.logs import fold
from ctxcore.compressing.passages import passage
from ctxcore.compressing.picking import GAP, Picking
from ctxcore.compressing.ranking import ranked
from ctxcore.compressing.structure import folded
from ctxcore.fingerprint import Fingerprinted
from ctxcore.services import Counter

ELLIPSIS = "…"
# Share of the room that goes to the query. A document is there for the question, a tool's result for its numbers.
ANSWER = 80  # tokens that the query gets at least: a few sentences, however small the room
FOCUS = {"doc": 0.7, "tool": 0.2}

_IN_WORD = re.compile(r"[0-9A-Za-z_.,%-]")


@dataclass(frozen=True)
class Extractive(Fingerprinted):
    """BM25 of each sentence and a share of its neighbours' score: an answer often follows the sentence that matches."""

    trusted: ClassVar[bool] = True
    neighbour: float = 0.35
    k1: float = 1.2
    b: float = 0.75
    focus: float = 0.5

    version = 2

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> str:
        """A text that fits is returned as it is. "" only where not even the beginning of a sentence fits."""
        if max_tokens <= 0:
            return ""
        if counter.count(text) <= max_tokens:
            return text
        whole = folded(text, counter)
        if counter.count(whole) <= max_tokens:
            return whole
        focus = FOCUS.get(source, self.focus)
        if json_value(text) is not None:
            return excerpt(text, query, max_tokens, counter, self, focus)
        if fold(text) is text:
            return self._prose(whole, query, max_tokens, counter, focus)
        for share in (1.0, 0.8, 0.6, 0.4):  # folded again, what is kept takes less than it says here
            room = int(share * max_tokens * counter.count(text) / counter.count(whole))
            kept = self._prose(text, query, room, counter, focus).replace(f"\n{GAP}", "")
            short = f"{fold(kept)}\n{GAP}"
            if counter.count(short) <= max_tokens:
                return short
        return self._prose(text, query, max_tokens, counter, focus)

    def _prose(self, text: str, query: str, max_tokens: int, counter: Counter, focus: float) -> str:
        read = passage(text)
        order, is_asked = ranked(read, query, self)
        if order and counter.count(read.sentences[order[0]].strip()) <= max_tokens:
            picking = Picking(read, max_tokens, counter)
            picking.take(order, max(ANSWER, int(max_tokens * focus)) if is_asked else max_tokens // 4)
            picking.cover()
            picking.take(order)
            if kept := picking.text():
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
