"""Runs a command: its result on standard output, its errors as one line on standard error, its state as exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from ctxcore.cli.outcome import Outcome
from ctxcore.errors import CtxError


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a check failed, 2 the input or the call is wrong, 3 the fixed parts alone do not fit."""
    from ctxcore.cli.commands import COMMANDS
    from ctxcore.cli.options import parser

    _use_utf8()
    try:
        args = parser().parse_args(argv)
        outcome: Outcome = COMMANDS[args.command](args)
        print(json.dumps(outcome.data, ensure_ascii=False) if args.json else outcome.text())
        sys.stdout.flush()
    except CtxError as error:
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return _complain(outcome.complaint, outcome.exit_code) if outcome.complaint else outcome.exit_code


def _complain(line: str, code: int) -> int:
    print("ctxcore: " + " ".join(line.split()), file=sys.stderr)
    return code


def _use_utf8() -> None:
    """Text of any language goes out whatever the terminal's locale is; half a character is shown, not fatal."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
