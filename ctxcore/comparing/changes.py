"""Which settings of two runs differ: the list that says what was changed, and nothing that was not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ctxcore.build import stages_for
from ctxcore.settings import Settings
from ctxcore.stage import options_of
from ctxcore.systems import system_called
from ctxcore.trace import Trace

PLAIN = ("system", "variant", "model", "query")
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Changed:
    """`what` is written as on the command line: `window`, `limit docs`, `select.on_misfit`, `stages`."""

    what: str
    before: str
    after: str


def changes(first: Trace, second: Trace) -> tuple[Changed, ...]:
    """Of two runs, with their windows and limits as they really were."""
    was, now = dict(_run(first)), dict(_run(second))
    return (*_differing(was, now), *pipeline_changes(first.settings, second.settings))


def pipeline_changes(first: Settings, second: Settings) -> tuple[Changed, ...]:
    """Order, options and conditions of the stages. Options of a stage that the other run has not, are not listed."""
    was, now = _options(first), _options(second)
    orders = [", ".join(options) for options in (was, now)]
    order = (Changed("stages", orders[0], orders[1]),) if orders[0] != orders[1] else ()
    same = [name for name in was if name in now]
    options = (_differing(_named(name, was[name]), _named(name, now[name])) for name in same)
    return (*order, *(one for found in options for one in found))


def _run(trace: Trace) -> Iterator[tuple[str, str]]:
    asked = trace.settings
    yield "scenario", trace.scenario.name
    yield from ((name, str(getattr(asked, name) or "")) for name in PLAIN if name != "model")
    yield "model", trace.model_name
    yield "window", f"{trace.budget.window:,}"
    yield "reserve", f"{trace.budget.reserve:,}"
    for use in trace.limits:
        yield f"limit {use.name}", f"{use.cap:,}" if use.share is None else f"{use.typed} = {use.cap:,}"
    yield "pins", ", ".join(asked.pins)
    yield "mutes", ", ".join(asked.mutes)
    yield "priorities", ", ".join(f"{key} {value}" for key, value in asked.priorities)
    yield "edits", ", ".join(f"{edit.item} at {edit.stage}" for edit in asked.edits)


def _options(asked: Settings) -> dict[str, dict[str, str]]:
    """Stage → option → value, in the order of the stages."""
    when = {path.removesuffix(".when"): text for path, text in asked.options if path.endswith(".when")}
    return {
        stage.name: {
            **{option.name: str(option.value) for option in options_of(stage)},
            "when": when.get(stage.name, "always"),
        }
        for stage in stages_for(asked, system_called(asked.system))
    }


def _named(stage: str, options: Mapping[str, str]) -> dict[str, str]:
    return {f"{stage}.{name}": value for name, value in options.items()}


def _differing(was: Mapping[str, str], now: Mapping[str, str]) -> tuple[Changed, ...]:
    pairs = ((what, was.get(what, ABSENT) or ABSENT, now.get(what, ABSENT) or ABSENT) for what in {**was, **now})
    return tuple(Changed(*pair) for pair in pairs if pair[1] != pair[2])
