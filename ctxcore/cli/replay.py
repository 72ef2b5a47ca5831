"""`replay`: a conversation turn by turn, a line each: tokens, growth, what each limit holds, what was lost."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from ctxcore.cli.outcome import Outcome
from ctxcore.cli.reading import scenario_of, services_of, settings_of
from ctxcore.cli.show import plain
from ctxcore.errors import InputError
from ctxcore.findings import Finding, findings_of_replay
from ctxcore.replay import MOMENTS, Turn, first_words
from ctxcore.replay import replay as played
from ctxcore.settings import settings_for


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--at", choices=MOMENTS, default="reply", help="a turn before each reply (default), or for each question"
    )


def replay(args: argparse.Namespace) -> Outcome:
    scenario = scenario_of(args)
    asked = settings_for(scenario, settings_of(args))
    if asked.query:  # one more turn at the end
        scenario = scenario.with_query(asked.query)
    turns = tuple(played(scenario, replace(asked, query=None), at=args.at, services=services_of(args)))
    if not turns:
        raise InputError("replay-nothing", file=args.file)
    found = findings_of_replay(turns)
    data = {
        "at": args.at,
        "turns": [turn.to_json() for turn in turns],
        "findings": [one.to_json(args.lang) for one in found],
    }
    return Outcome(data, lambda: shown(turns, found, args.lang))


def shown(turns: Sequence[Turn], found: Sequence[Finding], lang: str) -> str:
    trace, budget = turns[-1].trace, turns[-1].trace.budget
    names = [limit.name for limit in turns[-1].limits]
    setup = f"{trace.system.name} ({trace.settings.variant}) · window {budget.window:,} · room {budget.room:,}"
    head = f"{setup} · {len(turns)} turns"
    columns = f"{'turn':>4} {'messages':>8} {'tokens':>8} {'growth':>8}" + "".join(f" {name:>10}" for name in names)
    lines = [head, columns, *(_line(turn, names) for turn in turns)]
    lines += ["", *(f"{one.severity}: {plain(one.says(lang))}" for one in found)] if found else []
    return "\n".join(lines)


def _line(turn: Turn, names: Sequence[str]) -> str:
    used = {limit.name: limit.used for limit in turn.limits}
    numbers = f"{turn.number:>4} {turn.index:>8} {turn.total:>8,} {turn.growth:>+8,}" + "".join(
        f" {used.get(name, 0):>10,}" for name in names
    )
    bit = ", ".join(f"{count} {rule}" for rule, count in turn.bit.items())
    marks = ("" if turn.trace.fits else "OVER ") + ("» " if turn.compacted else "")
    return f"{numbers}  {marks}{bit or plain(first_words(turn), 60)}"
