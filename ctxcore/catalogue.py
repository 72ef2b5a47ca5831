"""What can be run: systems, stages, options, defaults, as JSON."""

from __future__ import annotations

from typing import Any

from ctxcore.stage import Stage, options_of
from ctxcore.stages import STAGES
from ctxcore.systems import SYSTEMS, VARIANTS


def systems_json() -> dict[str, Any]:
    return {"systems": [
        {
            "name": system.name, "source": system.source, "window": system.window, "reserve": system.native_reserve("repaired", system.window),
            "variants": list(VARIANTS),
            "limits": [{"name": x.name, "default": x.typed, "sources": [str(s) for s in x.sources]} for x in system.limits],
            "stages": [stage.name for stage in system.repaired],
            "article": _changes(system.repaired, system.article),
        }
        for system in SYSTEMS.values()
    ]}


def _changes(repaired: tuple[Stage, ...], article: tuple[Stage, ...]) -> dict[str, Any]:
    """`stage.option` → value, where the article's variant differs from the repaired one."""
    return {
        f"{one.name}.{new.name}": new.value
        for one, other in zip(repaired, article, strict=True)
        for old, new in zip(options_of(one), options_of(other), strict=True)
        if old.value != new.value
    }


def stages_json() -> dict[str, Any]:
    return {"stages": [
        {
            "name": name,
            "about": (stage.__doc__ or "").strip().split("\n")[0],
            "systems": [system.name for system in SYSTEMS.values() if name in [s.name for s in system.repaired]],
            "options": [
                {"name": o.name, "type": o.type.__name__, "default": o.value, "choices": list(o.choices), "about": o.about}
                for o in options_of(stage())
            ],
        }
        for name, stage in STAGES.items()
    ]}
