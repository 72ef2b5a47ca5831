"""What a stage may use of the world outside the payload. Swapped whole for tests, demos and live models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from ctxcore.guarding.shield import Shield

    Vectors = np.ndarray[Any, np.dtype[np.float32]]


class Counter(Protocol):
    """A named tokenizer. Counts are remembered by content: a text is tokenized once in the life of the process."""

    name: str  # of the encoding, such as o200k_base
    exactness: str  # exact | approximate | fallback
    fingerprint: str  # name and hash of the ranks: part of every cache key

    def count(self, text: str) -> int: ...

    def learn(self, texts: Iterable[str]) -> None:
        """Says that these texts will be counted."""
        ...

    def cut(self, text: str, tokens: int) -> str:
        """The longest prefix of `text` that is at most `tokens` long and ends at a code point."""
        ...


class Compressor(Protocol):
    """Shortens text without inventing any."""

    @property
    def fingerprint(self) -> str: ...

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> str:
        """At most `max_tokens` tokens of `text`, what serves `query` first; always fewer tokens than `text` has.

        `source` of the text, such as tool or doc: it decides how much goes to the query and how much to facts.
        """
        ...

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        """One block from many labelled texts, in their order: the lines (`label: sentence`) that serve `query` best."""
        ...


@dataclass(frozen=True, slots=True)
class Hit:
    index: int  # position in the searched texts
    score: float  # on the retriever's own scale


class Retriever(Protocol):
    @property
    def fingerprint(self) -> str: ...

    @property
    def scale(self) -> str:
        """What a score means, in one line."""
        ...

    @property
    def threshold(self) -> float | None:
        """The score from which on a hit serves the query; None where scores of two searches cannot be compared."""
        ...

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        """At most `k` hits, best first, ties in the given order. Hits with score 0 are left out."""
        ...


class Embedder(Protocol):
    """Texts to vectors of length 1, so that their product is the cosine."""

    @property
    def fingerprint(self) -> str:
        """Of the model and of what it is told: part of every cache key."""
        ...

    @property
    def threshold(self) -> float:
        """The cosine from which on two texts are about the same thing: a model's own."""
        ...

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        """One row a text. Some models read a question otherwise than a passage. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something that outlives a conversation: a note about the user (`memory`) or a line of the `profile`."""

    id: str  # stable for life, and unlike any id of a scenario
    text: str
    kind: str = "memory"  # memory | profile


class Memory(Protocol):
    """What is remembered of one user."""

    @property
    def fingerprint(self) -> str: ...

    def load(self) -> Sequence[Remembered]:
        """All of it, the newest first. Asked once, at the start of a build."""
        ...


@dataclass(frozen=True)
class Services:
    """The built-in ones need no model, no key and no network. Any of them may be slow, down or wrong: a build asks
    them under watch (`watched`), goes on without what fails, and reports it."""

    compressor: Compressor
    retriever: Retriever
    memory: Memory | None = None
    shield: Shield | None = field(default=None, repr=False)  # the placeholders of one build, where a guardrail runs

    @property
    def fingerprint(self) -> str:
        return "+".join(service.fingerprint for service in self._each())

    def told(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """What services have to say since they were last asked: rules with their facts. The built-in ones have
        nothing to say."""
        tellers = (getattr(service, "told", None) for service in self._each())
        return tuple(one for tell in tellers if tell for one in tell())

    def watched(self) -> Services:
        """These services for one build, each under watch; those under watch already, and the built-in ones, as they
        are."""
        from ctxcore.serving.watch import Watched
        from ctxcore.serving.watched import WatchedCompressor, WatchedMemory, WatchedRetriever

        def free(service: object) -> bool:
            return service is None or isinstance(service, Watched) or bool(getattr(service, "trusted", False))

        return replace(
            self,
            compressor=self.compressor if free(self.compressor) else WatchedCompressor(self.compressor),
            retriever=self.retriever if free(self.retriever) else WatchedRetriever(self.retriever),
            memory=self.memory if self.memory is None or free(self.memory) else WatchedMemory(self.memory),
        )

    def _each(self) -> tuple[Any, ...]:
        return tuple(service for service in (self.compressor, self.retriever, self.memory) if service is not None)
