"""The rail of stages: what went in and came out of each, which one is picked, which have not run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ui.components.drawn import Mount, draw, register

_RAIL = register("rail", '<div class="stages" role="listbox" aria-orientation="horizontal"></div>', picture="copied")


MOST_LIGHTS = 6  # that a stage has room for


@dataclass(frozen=True, slots=True)
class RailStage:
    name: str
    items: tuple[int, int] = (0, 0)  # in, out
    tokens: tuple[int, int] = (0, 0)
    seconds: float = 0.0
    problems: int = 0
    severity: Literal["error", "warning", "info"] = "warning"  # the worst of them
    skipped: bool = False
    ran: bool = True  # False: a stage before it raised
    reason: str = ""  # why it was skipped, in the reader's language
    label: str = ""  # "" = the name
    change: str = ""  # of what came out, against a baseline
    lights: tuple[str, ...] = ()  # of each text that must stay: kept, partly or lost


def rail(stages: Sequence[RailStage], mount: Mount, *, run_to: str | None = None) -> str | None:
    """Draws the stages, `mount.selected` marked; the name of the stage picked just now.

    `run_to`: the last stage that ran; those after it are blank. None = all ran, "" = none did.
    """
    names = [stage.name for stage in stages]
    last = len(names) - 1 if run_to is None else names.index(run_to) if run_to in names else -1
    data = {
        "ids": names,
        "label": [stage.label or stage.name for stage in stages],
        "state": [state(stage, k > last) for k, stage in enumerate(stages)],
        "items_in": [stage.items[0] for stage in stages],
        "items_out": [stage.items[1] for stage in stages],
        "tokens_in": [stage.tokens[0] if k <= last else 0 for k, stage in enumerate(stages)],
        "tokens_out": [stage.tokens[1] if k <= last else 0 for k, stage in enumerate(stages)],
        "seconds": [stage.seconds for stage in stages],
        "problems": [stage.problems if k <= last else 0 for k, stage in enumerate(stages)],
        "severity": [stage.severity for stage in stages],
        "reason": [stage.reason for stage in stages],
        "change": [stage.change if k <= last else "" for k, stage in enumerate(stages)],
        "lights": [stage.lights[:MOST_LIGHTS] for stage in stages],
        "height": mount.height or (132 if any(stage.lights for stage in stages) else 112),
    }
    return draw(_RAIL, data, mount)


def state(stage: RailStage, ahead: bool) -> str:
    return "waiting" if ahead or not stage.ran else "skipped" if stage.skipped else "run"
