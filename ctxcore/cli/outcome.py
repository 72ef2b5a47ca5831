"""What a command comes to: data, text, exit status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command says: `data` with --json, `text` to people; `complaint` is its one line of error, if any, and
    `notes` are lines for standard error that are none."""

    data: Any
    text: Callable[[], str]  # made only when it is wanted
    exit_code: int = 0
    complaint: str = ""
    notes: tuple[str, ...] = ()
