"""Runs a command: its result on standard output, its errors as one line on standard error, its state as exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from ctxcore.cli.outcome import Outcome
from ctxcore.errors import CtxError

LONGEST = 2_000  # characters of an error


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0 done, 1 a check failed, 2 the input or the call is wrong, 3 the fixed parts alone do not fit."""
    from ctxcore.cli.commands import COMMANDS
    from ctxcore.cli.options import parser
    from ctxcore.cli.reading import own_models
    from ctxcore.cli.show import harmless

    _use_utf8()
    lang = "en"
    try:
        args = parser().parse_args(argv)
        lang = getattr(args, "lang", lang)
        own_models(args)
        outcome: Outcome = COMMANDS[args.command](args)
        _say(json.dumps(outcome.data, ensure_ascii=False) if args.json else harmless(outcome.text()))
        for note in outcome.notes:
            _complain(note, 0)
    except CtxError as error:
        return _complain(error.said(lang), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # such as a full disk, or an output that is closed
        return _complain(f"the output cannot be written: {error.strerror or error}", 2)
    return _complain(outcome.complaint, outcome.exit_code) if outcome.complaint else outcome.exit_code


def _say(text: str) -> None:
    if sys.stdout is None:
        raise OSError("standard output is closed")
    print(text, flush=True)


def _complain(line: str, code: int) -> int:
    from ctxcore.cli.show import plain

    print("ctxcore: " + plain(line, LONGEST), file=sys.stderr)
    return code


def _use_utf8() -> None:
    """Text of any language goes out whatever the terminal's locale is; half a character is shown, not fatal."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
