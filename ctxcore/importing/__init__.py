"""Reads files of the formats that people have, and says what is wrong with those it cannot read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxcore.scenario import Scenario

FORMATS = {
    "scenario": "a scenario file, ctxcore.scenario/1",
    "openai-chat": "an OpenAI chat request, or a log of one with its answer",
    "messages": "a list of messages with role and content, or any object that has one in messages or history",
    "text": "plain text or Markdown: one document",
}


def load(source: str | Path, *, conversation: int | None = None) -> Scenario:
    """Reads a file, or standard input where `source` is "-". Raises InputError with the place and the remedy.

    `conversation` picks one of a file that holds many, counted from 0.
    """
    from ctxcore.importing.files import load_file  # here, not above: scenarios use this package, and it makes them

    return load_file(source, conversation)


def loads(data: bytes | str, *, name: str = "", conversation: int | None = None) -> Scenario:
    """Reads the text of a file; `name` is the file's, for messages and for the name of the scenario."""
    from ctxcore.importing.files import load_text

    return load_text(data, name, conversation)
