"""Stand-ins for what Services holds: their answers are known beforehand. For tests and demonstrations."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ctxcore.fingerprint import Fingerprinted
from ctxcore.model.replies import ModelError, OnText, Reply, Stop
from ctxcore.retrieving.terms import terms
from ctxcore.services import Counter, Hit

if TYPE_CHECKING:
    from ctxcore.services import Vectors


@dataclass(frozen=True)
class FixedRetriever(Fingerprinted):
    """Gives the same hits to every query, in the order given; those beyond the searched texts are left out."""

    patience: ClassVar[float | None] = None
    hits: tuple[Hit, ...] = ()

    scale, threshold = "fixed beforehand", None

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        return tuple(hit for hit in self.hits if hit.index < len(texts) and hit.score > 0)[: max(k, 0)]


@dataclass(frozen=True)
class HeadCompressor(Fingerprinted):
    """Keeps the beginning and looks at no query."""

    patience: ClassVar[float | None] = None

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> str:
        return counter.cut(text, max_tokens) if max_tokens > 0 else ""

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        block = "".join(f"{label}: {text.strip()}\n" for label, text in texts)
        return self.compress(block, query=query, max_tokens=max_tokens, counter=counter)


@dataclass(eq=False)
class ScriptedModel:
    """Gives the replies that were queued, in their order, and says so in its name. Implements ChatModel."""

    replies: Sequence[str | Reply | ModelError]
    asked: list[tuple[Mapping[str, Any], ...]] = field(default_factory=list)  # the messages of each call so far

    name = "scripted (no model)"

    @property
    def fingerprint(self) -> str:
        """That of the script: what it answers does not depend on what it is asked."""
        return f"ScriptedModel@1({hashlib.sha256(repr(list(self.replies)).encode()).hexdigest()[:16]})"

    def reply(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        max_tokens: int | None = None,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
        on_text: OnText | None = None,
        stop: Stop | None = None,
    ) -> Reply:
        """Text is streamed word by word. Raises what was queued as an error, and ModelError after the last reply."""
        at = len(self.asked)
        self.asked.append(tuple(messages))
        if at >= len(self.replies):
            raise ModelError("empty", "model-script-end", self.name, count=len(self.replies))
        found = self.replies[at]
        if isinstance(found, ModelError):
            raise found
        whole = found if isinstance(found, Reply) else Reply(found, model=self.name)
        if on_text is None:
            return whole
        shown = ""
        for piece in re.findall(r"\s*\S+\s*$|\s*\S+", whole.text):
            if stop is not None and stop():
                return replace(whole, text=shown, calls=(), finish="stopped")
            on_text(piece)
            shown += piece
        return whole


@dataclass(frozen=True)
class WordsEmbedder(Fingerprinted):
    """Vectors of hashed terms: texts that share words are near. `fails` is raised instead, where it is set."""

    size: int = 256
    fails: ModelError | None = None

    threshold = 0.3

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        import numpy as np

        if self.fails:
            raise self.fails
        rows = np.zeros((len(texts), self.size), dtype=np.float32)
        for at, text in enumerate(texts):
            rows[at, 0] = 0.01  # a text without words points somewhere too
            for term in terms(text):
                rows[at, 1 + zlib.crc32(term.encode()) % (self.size - 1)] += 1
        found: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return found
