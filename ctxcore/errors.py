"""Everything this package raises.

* CtxError
  + InputError       the file or the call is wrong; the line names what, where and the remedy (exit 2)
    + WhichConversationError   the file holds several; carries how each begins
  + BudgetError      a budget that cannot be resolved: no room, no such limit (exit 2, or 3 where room <= 0)
  + LedgerError      a stage changed the payload without a decision that says so
  + StageError       a stage raised; carries the snapshots, and the trace as far as it came
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any


class CtxError(Exception):
    """Base class: `except CtxError` is all that a page or the command line needs."""

    exit_code = 2

    def __str__(self) -> str:
        """One line, whatever text of a file it quotes."""
        return " ".join(super().__str__().splitlines())


class InputError(CtxError): ...


class WhichConversationError(InputError):
    """A file of several conversations, none or no such one chosen. `conversations`: first words and number of messages
    of each, in the order of the file, of which a very long one lists only the beginning."""

    def __init__(self, message: str, conversations: Sequence[tuple[str, int]]) -> None:
        super().__init__(message)
        self.conversations = tuple(conversations)


class BudgetError(CtxError): ...


class LedgerError(CtxError): ...


class StageError(CtxError):
    """A stage raised. `snapshots`: those made before it, its own as it found things, and the later ones, not run.

    `place` is the file and line; `trace` all of it as a trace, where `build` was called. A CtxError of the stage's is
    passed on in its own words: it says itself what to do.
    """

    def __init__(self, stage: str, cause: Exception, snapshots: Sequence[object], place: str = "") -> None:
        whole = [one for one in snapshots if not getattr(one, "skipped", "")]
        told = f"{cause}" if isinstance(cause, CtxError) else f"{type(cause).__name__}: {cause} ({place})."
        kept = f" The {len(whole)} snapshots before it are intact." if whole else ""
        super().__init__(f"{told if isinstance(cause, LedgerError) else f'Stage {stage!r}: {told}'}{kept}")
        self.stage, self.snapshots, self.place = stage, snapshots, place
        self.trace: Any = None  # a Trace


def place_of(code: object, cause: Exception) -> str:
    """`file.py line 12`: the innermost line of the file that `code` is from, or of whatever raised; no folders."""
    frames = extract_tb(cause.__traceback__)
    module = sys.modules.get(type(code).__module__)
    own = [frame for frame in frames if frame.filename == getattr(module, "__file__", None)]
    return next((f"{Path(one.filename).name} line {one.lineno}" for one in (own or frames)[::-1]), "")
