"""A pipeline under a name: which stages in which order, with which options and conditions. It fits any scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ctxcore.build import stages_for
from ctxcore.condition import check
from ctxcore.errors import InputError
from ctxcore.settings import Settings
from ctxcore.systems import VARIANTS, system_called

SCHEMA = "ctxcore.pipeline/1"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`stages` None for the system's own order; `options` by `stage.option`, conditions as `stage.when`. The system
    is what names the limits."""

    name: str
    system: str = "gssc"
    variant: str = "repaired"
    stages: tuple[str, ...] | None = None
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, name: str, settings: Settings) -> Pipeline:
        return cls(name, settings.system, settings.variant, settings.stages, settings.options)

    @classmethod
    def from_json(cls, data: Any) -> Pipeline:
        """Raises InputError that names what is wrong: a system, stage, option or condition that does not exist."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            raise InputError("pipeline-schema", schema=SCHEMA)
        stages, options = data.get("stages"), data.get("options", {})
        if not isinstance(options, Mapping) or not (stages is None or (isinstance(stages, list) and stages)):
            raise InputError("pipeline-shape")
        order = tuple(map(str, stages)) if stages else None
        if order and len(set(order)) < len(order):
            raise InputError("pipeline-twice")
        given = tuple((str(path), str(value)) for path, value in options.items())
        made = cls(str(data.get("name", "")), str(data.get("system")), str(data.get("variant")), order, given)
        return made.checked()

    def checked(self) -> Pipeline:
        """Itself. Raises InputError."""
        if self.variant not in VARIANTS:
            raise InputError("no-variant", name=self.variant, there=VARIANTS)
        stages_for(self.applied(Settings()), system_called(self.system))
        for path, text in self.options:
            if path.endswith(".when"):
                check(text)
        return self

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "name": self.name,
            "system": self.system,
            "variant": self.variant,
            "stages": list(self.stages) if self.stages else None,
            "options": dict(self.options),
        }

    def applied(self, settings: Settings) -> Settings:
        """The settings with this pipeline; window, model, limits, pins stay."""
        fresh = replace(settings, system=self.system, variant=self.variant, stages=self.stages, options=self.options)
        return fresh if self.system == settings.system else replace(fresh, limits=())

    def argv(self) -> tuple[str, ...]:
        """The same for the command line: append it to `run FILE`."""
        order = ("--stages", ",".join(self.stages)) if self.stages else ()
        options = (part for path, value in self.options for part in ("--set", f"{path}={value}"))
        return ("--system", self.system, "--variant", self.variant, *order, *options)
