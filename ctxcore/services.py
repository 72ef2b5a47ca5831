"""What a stage may use of the world outside the payload. Swapped whole for tests, demos and live models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Counter(Protocol):
    """A named tokenizer. Counts are remembered by content: a text is tokenized once in the life of the process."""

    name: str  # of the encoding, such as o200k_base
    exactness: str  # exact | approximate | fallback
    fingerprint: str  # name and hash of the ranks: part of every cache key

    def count(self, text: str) -> int: ...

    def cut(self, text: str, tokens: int) -> str:
        """The longest prefix of `text` that is at most `tokens` long and ends at a code point."""
        ...


class Compressor(Protocol):
    """Shortens text without inventing any."""

    fingerprint: str

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter) -> str:
        """At most `max_tokens` tokens of `text`, what serves `query` first; always fewer tokens than `text` has."""
        ...

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        """One block from many labelled texts, in their order: the lines (`label: sentence`) that serve `query` best."""
        ...


@dataclass(frozen=True, slots=True)
class Hit:
    index: int  # position in the searched texts
    score: float  # on the retriever's own scale


class Retriever(Protocol):
    fingerprint: str
    scale: str  # what a score means, in one line

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        """At most `k` hits, best first, ties in the given order. Hits with score 0 are left out."""
        ...


@dataclass(frozen=True)
class Services:
    """The built-in ones need no model, no key and no network."""

    compressor: Compressor
    retriever: Retriever

    @property
    def fingerprint(self) -> str:
        return f"{self.compressor.fingerprint}+{self.retriever.fingerprint}"

    def told(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """What services that ask a model have to say since they were last asked: rules with their facts. The built-in
        ones have nothing to say."""
        tell = getattr(self.compressor, "told", None)
        return tuple(tell()) if tell else ()
