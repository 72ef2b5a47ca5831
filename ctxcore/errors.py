"""Everything this package raises. An error is a code and its facts; its sentence is made from ctxcore/words.

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

from ctxcore.words import Phrase


class CtxError(Exception):
    """Base class: `except CtxError` is all that a page or the command line needs."""

    exit_code = 2

    def __init__(self, code: str, /, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self), self.code), self.__dict__

    @property
    def told(self) -> Phrase:
        """What, where and the remedy, in one line."""
        return Phrase(self.code, **self.facts)

    def said(self, lang: str = "en") -> str:
        return self.told.said(lang)

    def __str__(self) -> str:
        return str(self.told)


class InputError(CtxError): ...


class WhichConversationError(InputError):
    """A file of several conversations, none or no such one chosen. `conversations`: first words and number of messages
    of each, in the order of the file, of which a very long one lists only the beginning."""

    def __init__(self, code: str, conversations: Sequence[tuple[str, int]], /, **facts: Any) -> None:
        super().__init__(code, **facts)
        self.conversations = tuple(conversations)


class BudgetError(CtxError): ...


class LedgerError(CtxError): ...


class StageError(CtxError):
    """A stage raised. `snapshots`: those made before it, its own as it found things, and the later ones, not run.

    `place` is the file and line; `trace` all of it as a trace, where `build` was called. A CtxError of the stage's is
    passed on in its own words: it says itself what to do.
    """

    def __init__(self, stage: str, cause: Exception, snapshots: Sequence[object], place: str = "") -> None:
        whole = sum(not getattr(one, "skipped", "") for one in snapshots)
        if isinstance(cause, CtxError):
            told = cause.told
        else:
            told = Phrase("stage-fault", kind=type(cause).__name__, says=str(cause), place=place)
        if not isinstance(cause, LedgerError):
            told = Phrase("stage-told", stage=stage, told=told)
        if whole:
            told = Phrase("stage-intact", told=told, count=whole)
        super().__init__(told.code, **told.facts)
        self.stage, self.snapshots, self.place = stage, snapshots, place
        self.trace: Any = None  # a Trace


def place_of(code: object, cause: Exception) -> str:
    """`file.py line 12`: the innermost line of the file that `code` is from, or of whatever raised; no folders."""
    frames = extract_tb(cause.__traceback__)
    module = sys.modules.get(type(code).__module__)
    own = [frame for frame in frames if frame.filename == getattr(module, "__file__", None)]
    return next((f"{Path(one.filename).name} line {one.lineno}" for one in (own or frames)[::-1]), "")
