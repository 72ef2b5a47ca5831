"""What can be run: systems, stages, options, defaults, as JSON."""

from __future__ import annotations

import sys
from typing import Any

from ctxcore.stage import Option, Stage, options_of
from ctxcore.stages import STAGES
from ctxcore.systems import SYSTEMS, VARIANTS
from ctxcore.words import of_options, of_stages


def systems_json() -> dict[str, Any]:
    return {
        "systems": [
            {
                "name": system.name,
                "source": system.source,
                "window": system.window,
                "reserve": system.native_reserve("repaired", system.window),
                "variants": list(VARIANTS),
                "limits": [
                    {"name": x.name, "default": x.typed, "sources": [str(s) for s in x.sources]} for x in system.limits
                ],
                "stages": [stage.name for stage in system.repaired],
                "article": _changes(system.repaired, system.article),
            }
            for system in SYSTEMS.values()
        ]
    }


def _changes(repaired: tuple[Stage, ...], article: tuple[Stage, ...]) -> dict[str, Any]:
    """`stage.option` → value, where the article's variant differs from the repaired one."""
    meant = {(stage.name, option.name): option.value for stage in repaired for option in options_of(stage)}
    return {
        f"{stage.name}.{option.name}": option.value
        for stage in article
        for option in options_of(stage)
        if meant.get((stage.name, option.name)) != option.value
    }


def about(stage: type[Stage], lang: str = "en") -> str:
    """What the stage does; of somebody's own, the first paragraph of what its class says of itself, or its module: a
    bare dataclass gets a docstring made."""
    if known := of_stages().get(str(stage.name)):
        return known[lang]
    own = stage.__doc__ or ""
    text = sys.modules[stage.__module__].__doc__ or "" if own.startswith(f"{stage.__name__}(") else own
    return " ".join(text.strip().partition("\n\n")[0].split())


def label_of(stage: str, option: Option, lang: str = "en") -> str:
    """What the option is called in a form; of somebody's own stage, its name."""
    known = of_options().get(f"{stage}.{option.name}")
    return known["label"][lang] if known else option.name.replace("_", " ")


def about_option(stage: str, option: Option, lang: str = "en") -> str:
    """What the option does; of somebody's own stage as its field says, in whatever language that is."""
    known = of_options().get(f"{stage}.{option.name}")
    return known["about"].get(lang, option.about) if known else option.about


def stages_json(lang: str = "en") -> dict[str, Any]:
    return {
        "stages": [
            {
                "name": name,
                "about": about(stage, lang),
                "systems": [system.name for system in SYSTEMS.values() if name in [s.name for s in system.repaired]],
                "options": [
                    {
                        "name": o.name,
                        "type": o.type.__name__,
                        "default": o.value,
                        "choices": list(o.choices),
                        "about": about_option(name, o, lang),
                    }
                    for o in options_of(stage())
                ],
            }
            for name, stage in STAGES.items()
        ]
    }
