"""Compressor, retriever and memory under watch: the same calls, and the built-in ones behind them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from ctxcore.services import Compressor, Counter, Hit, Memory, Remembered, Retriever
from ctxcore.serving.watch import Refused, Watched
from ctxcore.words import Phrase

MOST_REMEMBERED = 1_000  # records that one user's memory may bring
MOST_CHARS = 20_000  # of one of them


class WatchedRetriever(Watched[Retriever]):
    """Where the retriever fails, documents are found by the words they share with the question."""

    rule = "retriever-failed"

    def __init__(self, service: Retriever) -> None:
        super().__init__(service)
        self.scale = self._scale = str(getattr(service, "scale", ""))
        self.threshold: float | None = getattr(service, "threshold", None)

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        """`scale` and `threshold` are those of the retriever that answered last."""
        found = self.ask(lambda: self.service.search(query, texts, k), lambda hits: _sound(hits, len(texts), k))
        if found is not None:
            self.scale, self.threshold = self._scale, getattr(self.service, "threshold", None)
            return found
        from ctxcore.retrieving.retrieval import BM25Retriever

        own = BM25Retriever()
        self.scale, self.threshold = own.scale, own.threshold
        return own.search(query, texts, k)


def _sound(hits: Any, texts: int, k: int) -> tuple[Hit, ...]:
    if not isinstance(hits, Sequence) or not all(isinstance(hit, Hit) for hit in hits):
        raise Refused("hits-no-list", kind=type(hits).__name__)
    places = [hit.index for hit in hits]
    if not all(isinstance(at, int) and 0 <= at < texts for at in places) or len(set(places)) < len(places):
        raise Refused("hits-beyond", texts=texts)
    if not all(isinstance(hit.score, int | float) and isfinite(hit.score) for hit in hits):
        raise Refused("hits-scores")
    best = sorted((hit for hit in hits if hit.score > 0), key=lambda hit: -hit.score)
    return tuple(best[: max(0, k)])


class WatchedCompressor(Watched[Compressor]):
    """Where the compressor fails, the built-in one shortens."""

    rule = "compressor-failed"

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> str:
        given: dict[str, Any] = {"query": query, "max_tokens": max_tokens, "counter": counter, "source": source}
        own = _built_in()
        if max_tokens <= 0 or counter.count(text) <= max_tokens:
            return own.compress(text, **given)
        found = self.ask(lambda: self.service.compress(text, **given), lambda said: _short(said, max_tokens, counter))
        return own.compress(text, **given) if found is None else found

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        given: dict[str, Any] = {"query": query, "max_tokens": max_tokens, "counter": counter}
        if max_tokens <= 0 or not texts:
            return ""
        found = self.ask(lambda: self.service.digest(texts, **given), lambda said: _short(said, max_tokens, counter))
        return _built_in().digest(texts, **given) if found is None else found


def _built_in() -> Compressor:
    from ctxcore.compressing.extractive import Extractive

    return Extractive()


def _short(said: Any, max_tokens: int, counter: Counter) -> str:
    if not isinstance(said, str):
        raise Refused("answer-no-text", kind=type(said).__name__)
    if not said.strip():
        raise Refused("answer-empty")
    if (tokens := counter.count(said)) > max_tokens:
        raise Refused("answer-long", tokens=tokens, most=max_tokens)
    return said


class WatchedMemory(Watched[Memory]):
    """Where the memory fails, the build goes on without it."""

    rule = "memory-failed"

    def load(self) -> tuple[Remembered, ...]:
        return self.ask(self.service.load, self._records) or ()

    def _records(self, found: Any) -> tuple[Remembered, ...]:
        """What can be used, at most the first 1,000; what cannot is left out, and told."""
        if not isinstance(found, Sequence) or isinstance(found, str | bytes):
            raise Refused("answer-no-list", kind=type(found).__name__)
        kept: dict[str, Remembered] = {}
        for one in found[:MOST_REMEMBERED]:
            if isinstance(one, Remembered) and _is_sound(one) and one.id not in kept:
                kept[one.id] = one
        if len(kept) < len(found):
            self._tell("answer", Phrase("records-unusable", count=len(found) - len(kept), of=len(found)))
        return tuple(kept.values())


def _is_sound(one: Remembered) -> bool:
    texts = isinstance(one.id, str) and isinstance(one.text, str)
    return (
        texts
        and bool(one.id and one.text.strip())
        and len(one.text) <= MOST_CHARS
        and one.kind in ("memory", "profile")
    )
