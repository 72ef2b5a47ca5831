"""Everything this package raises.

* CtxError
  + InputError       the file or the call is wrong; the line names what, where and the remedy (exit 2)
    + WhichConversationError   the file holds several; carries how each begins
  + BudgetError      a budget that cannot be resolved: no room, no such limit (exit 2, or 3 where room <= 0)
  + LedgerError      a stage changed the payload without a decision that says so
  + StageError       a stage raised; carries the snapshots made before it
"""

from __future__ import annotations

from collections.abc import Sequence


class CtxError(Exception):
    """Base class: `except CtxError` is all that a page or the command line needs."""

    exit_code = 2


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
    """A stage raised. `snapshots` are those made before it."""

    def __init__(self, stage: str, cause: Exception, snapshots: Sequence[object]) -> None:
        super().__init__(f"Stage {stage!r} failed: {cause}. The {len(snapshots)} snapshots before it are intact.")
        self.stage, self.snapshots = stage, snapshots
