"""StaticContentLoader: system prompt, tools, and everything else that could go in (article 2, §3.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ctxcore.payload import Payload
from ctxcore.services import Services
from ctxcore.stages.gather import load


@dataclass(frozen=True)
class StaticContentLoader:
    """Documents are loaded as candidates: RetrievalInjector chooses among them, and says why the others stay out."""

    name: ClassVar[str] = "static-content-loader"
    version: str = field(default="", metadata={"about": "name of the system prompt's version, where the scenario has several"})

    def apply(self, payload: Payload, services: Services) -> Payload:
        return load(payload, self.name)
