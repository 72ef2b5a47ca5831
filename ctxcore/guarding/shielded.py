"""Services that ask somebody else: what they are sent holds placeholders, whatever stage asks them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ctxcore.guarding.shield import Shield
from ctxcore.services import Compressor, Counter, Hit, Retriever, Services


class ShieldedCompressor:
    trusted = True  # what it wraps is under watch

    def __init__(self, service: Compressor, shield: Shield) -> None:
        self.service, self.shield, self.fingerprint = service, shield, service.fingerprint
        self.told: Any = getattr(service, "told", tuple)

    def compress(self, text: str, *, query: str, max_tokens: int, counter: Counter, source: str = "") -> str:
        hide = self.shield.text
        asked: dict[str, Any] = {"query": hide(query), "max_tokens": max_tokens, "counter": counter, "source": source}
        return self.service.compress(hide(text), **asked)

    def digest(self, texts: Sequence[tuple[str, str]], *, query: str, max_tokens: int, counter: Counter) -> str:
        hide = self.shield.text
        hidden = [(label, hide(text)) for label, text in texts]
        return self.service.digest(hidden, query=hide(query), max_tokens=max_tokens, counter=counter)


class ShieldedRetriever:
    trusted = True

    def __init__(self, service: Retriever, shield: Shield) -> None:
        self.service, self.shield, self.fingerprint = service, shield, service.fingerprint
        self.told: Any = getattr(service, "told", tuple)

    @property
    def scale(self) -> str:
        return self.service.scale

    @property
    def threshold(self) -> float | None:
        return self.service.threshold

    def search(self, query: str, texts: Sequence[str], k: int) -> tuple[Hit, ...]:
        hide = self.shield.text
        return self.service.search(hide(query), tuple(hide(text) for text in texts), k)


def shielded(services: Services, shield: Shield) -> Services:
    """The services with the shield; the built-in ones send nothing anywhere, and see the texts as they are."""

    def is_own(service: object) -> bool:
        return bool(getattr(service, "trusted", False))

    compressor, retriever = services.compressor, services.retriever
    return replace(
        services,
        shield=shield,
        compressor=compressor if is_own(compressor) else ShieldedCompressor(compressor, shield),
        retriever=retriever if is_own(retriever) else ShieldedRetriever(retriever, shield),
    )
