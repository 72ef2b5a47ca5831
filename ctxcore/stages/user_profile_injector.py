"""UserProfileInjector: which lines of the user's profile go in (article 2, §7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.item import Source
from ctxcore.payload import Payload
from ctxcore.services import Services


@dataclass(frozen=True)
class UserProfileInjector:
    """The lines that serve the question best, at most `top_k`; without a question the first ones."""

    name: ClassVar[str] = "user-profile-injector"
    enabled: bool = field(default=False, metadata={"about": "run this stage"})
    top_k: int = field(default=5, metadata={"about": "lines of the profile, at most"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        lines = [item for item in payload.items if item.source is Source.PROFILE]
        if len(lines) <= self.top_k:
            return payload
        hits = services.retriever.search(payload.query, tuple(item.text for item in lines), len(lines))
        ranked = [hit.index for hit in hits]
        ranked += [at for at in range(len(lines)) if at not in ranked]
        edit = payload.edit(self.name)
        for rank, at in enumerate(ranked, 1):
            if rank > self.top_k and not lines[at].pinned:
                edit.drop(lines[at], "profile-rank", rank=rank, top=self.top_k)
        return edit.done()
