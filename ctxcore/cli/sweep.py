"""`sweep`: how the outcome changes as one limit, or the window, goes from nothing to everything."""

from __future__ import annotations

import argparse

from ctxcore.build import build_budget
from ctxcore.cli.outcome import Outcome
from ctxcore.cli.reading import scenario_of, services_of, settings_of
from ctxcore.cli.show import plain
from ctxcore.errors import BudgetError
from ctxcore.scenario import Scenario
from ctxcore.settings import Settings, settings_for
from ctxcore.tuning.axis import WINDOW
from ctxcore.tuning.survival import Breakpoint, Survival, survival


def add_options(command: argparse.ArgumentParser) -> None:
    about = (
        "window, or the name of one of the system's limits, such as docs or history: --over window; it takes no values"
    )
    command.add_argument("--over", metavar="NAME", required=True, help=about)


def sweep(args: argparse.Namespace) -> Outcome:
    scenario = scenario_of(args)
    settings = settings_for(scenario, settings_of(args))
    _check(args.over, scenario, settings)
    found = survival(scenario, settings, args.over, services=services_of(args))
    return Outcome(found.to_json(), lambda: _text(found))


def _check(over: str, scenario: Scenario, settings: Settings) -> None:
    known = [WINDOW, *(limit.name for limit in build_budget(scenario, settings).limits)]
    if over not in known:
        likely = over.partition("=")[0]
        right = likely if likely in known else WINDOW
        raise BudgetError("sweep-over", over=over, there=known, right=right)


def _text(found: Survival) -> str:
    flips = sum(1 for point in found.breakpoints if point.flips)
    head = f"{found.over}: {found.start:,} to {found.stop:,} tokens, now {found.now:,}"
    counted = f"{len(found.breakpoints):,} breakpoints, at {flips:,} of them more budget costs an item its place"
    open_ = [f"{found.unproven:,} budgets were not tried, and are taken to be as their neighbours"] * bool(
        found.unproven
    )
    return "\n".join([head, counted, *open_, "", *(_line(found, point) for point in found.breakpoints)])


def _line(found: Survival, point: Breakpoint) -> str:
    share = found.share(point.at)
    at = f"{point.at:>9,}" + (f" {100 * share:7.2f} %" if share is not None else "")
    changes = [f"+ {plain(key)}" for key in point.enters] + [f"- {plain(key)}" for key in point.leaves]
    return f"{at}  {'  '.join(changes)}"
