"""Reads files of the formats that people have, and says what is wrong with those it cannot read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxcore.importing.conversations import Opened
    from ctxcore.scenario import Scenario


def load(source: str | Path, *, conversation: int | None = None) -> Scenario:
    """Reads a file, or standard input where `source` is "-". Raises InputError with the place and the remedy.

    `conversation` picks one of a file that holds many, counted from 0.
    """
    from ctxcore.importing.files import load_file  # here, not above: scenarios use this package, and it makes them

    return load_file(source, conversation).scenario


def loads(data: bytes | str, *, name: str = "", conversation: int | None = None) -> Scenario:
    """Reads the text of a file; `name` is the file's, for messages and for the name of the scenario."""
    return opened(data, name=name, conversation=conversation).scenario


def opened(data: bytes | str, *, name: str = "", conversation: int | None = None) -> Opened:
    """As `loads`, with the other ways in which the file can be read."""
    from ctxcore.importing.files import load_text

    return load_text(data, name, conversation)
