"""StaticContentLoader: system prompt, tools, and everything else that could go in (article 2, §3.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from ctxcore.counting.totals import fixed_cost
from ctxcore.item import Item, Source, Text
from ctxcore.payload import Payload
from ctxcore.services import Services
from ctxcore.stages.gather import load


@dataclass(frozen=True)
class StaticContentLoader:
    """Documents are loaded as candidates: RetrievalInjector chooses among them, and says why the others stay out.

    `version` picks another system prompt and other tools: the scenario's `versions` maps a name to an object with
    `system` (text), `tools` (a list), or both.
    """

    name: ClassVar[str] = "static-content-loader"
    version: str = field(
        default="", metadata={"about": "name of a version of the static content; empty: the scenario's own"}
    )

    def apply(self, payload: Payload, services: Services) -> Payload:
        loaded = load(self._with_version(payload), self.name, services, self._versioned)
        if not self.version or isinstance(self._version(payload), Mapping):
            return loaded
        edit = loaded.edit(self.name)
        known = payload.scenario.extra.get("versions")
        edit.report(
            "version-missing",
            "warning",
            version=self.version,
            known=", ".join(known) if isinstance(known, Mapping) else "–",
        )
        return edit.done()

    def _version(self, payload: Payload) -> Any:
        versions = payload.scenario.extra.get("versions")
        return versions.get(self.version) if isinstance(versions, Mapping) else None

    def _with_version(self, payload: Payload) -> Payload:
        """The payload with the version's tools; its system text is put in while loading."""
        version = self._version(payload)
        if not isinstance(version, Mapping):
            return payload
        listed = version.get("tools")
        tools = tuple(t for t in listed if isinstance(t, Mapping)) if isinstance(listed, list) else payload.tools
        fixed = sum(fixed_cost(payload.model, payload.counter, tools, True, payload.scenario.form))
        return replace(payload, tools=tools, budget=replace(payload.budget, fixed=fixed))

    def _versioned(self, items: tuple[Item, ...], payload: Payload) -> tuple[Item, ...]:
        version = self._version(payload)
        text = version.get("system") if isinstance(version, Mapping) else None
        at = next((at for at, item in enumerate(items) if item.source is Source.SYSTEM), None)
        if not isinstance(text, str) or at is None:
            return items
        own = replace(items[at], parts=(Text(text),), tokens=payload.counter.count(text), intact=False)
        return (*items[:at], own, *items[at + 1 :])
