"""Stand-ins for what Services holds: their answers are known beforehand. For tests and demonstrations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxcore.fingerprint import Fingerprinted
from ctxcore.services import Counter, Hit


@dataclass(frozen=True)
class FixedRetriever(Fingerprinted):
    """Gives the same hits to every query, in the order given; those beyond the searched texts are left out."""

    hits: tuple[Hit, ...] = ()

    scale = "fixed beforehand"

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        return tuple(hit for hit in self.hits if hit.index < len(texts) and hit.score > 0)[: max(k, 0)]


@dataclass(frozen=True)
class HeadCompressor(Fingerprinted):
    """Keeps the beginning and looks at no query."""

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter) -> str:
        return counter.cut(text, max_tokens) if max_tokens > 0 else ""

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        block = "".join(f"{label}: {text.strip()}\n" for label, text in texts)
        return self.compress(block, query=query, max_tokens=max_tokens, counter=counter)
