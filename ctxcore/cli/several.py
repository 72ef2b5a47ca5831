"""Commands that take several files, or a folder of them: one outcome each, and one exit status for all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from ctxcore.cli.outcome import Outcome
from ctxcore.errors import InputError

Command = Callable[[argparse.Namespace], Outcome]


def each(command: Command) -> Command:
    """The command for every file; with one file, exactly as the command alone."""

    def run(args: argparse.Namespace) -> Outcome:
        files = _files(args.file)
        outcomes = [command(argparse.Namespace(**{**vars(args), "file": file})) for file in files]
        if len(outcomes) == 1:
            return outcomes[0]
        data = {
            "ok": not any(outcome.exit_code for outcome in outcomes),
            "files": [{"file": file, **outcome.data} for file, outcome in zip(files, outcomes, strict=True)],
        }
        return Outcome(data, lambda: _text(files, outcomes), max(outcome.exit_code for outcome in outcomes))

    return run


def _files(given: Sequence[str]) -> list[str]:
    out: list[str] = []
    for name in given:
        if not Path(name).is_dir():
            out.append(name)
            continue
        found = sorted(str(file) for file in Path(name).iterdir() if file.is_file() and not file.name.startswith("."))
        if not found:
            raise InputError("folder-empty", name=name)
        out += found
    return out


def _text(files: Sequence[str], outcomes: Sequence[Outcome]) -> str:
    return "\n\n".join(f"{file}\n{outcome.text()}" for file, outcome in zip(files, outcomes, strict=True))
