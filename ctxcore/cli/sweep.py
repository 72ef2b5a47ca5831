"""`sweep`: how the outcome changes as one limit, or the window, goes from nothing to everything."""

from __future__ import annotations

import argparse

from ctxcore.cli.options import scenario_of, settings_of
from ctxcore.cli.outcome import Outcome
from ctxcore.cli.show import plain
from ctxcore.settings import settings_for
from ctxcore.tuning.survival import Breakpoint, Survival, survival


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--over", metavar="NAME", required=True, help="a limit's name, or window")


def sweep(args: argparse.Namespace) -> Outcome:
    scenario = scenario_of(args)
    found = survival(scenario, settings_for(scenario, settings_of(args)), args.over)
    return Outcome(found.to_json(), lambda: _text(found))


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
