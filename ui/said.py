"""Sentences of the core in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.words import said, sentence
from ui.words import language


def says(rule: str, facts: Mapping[str, Any]) -> str:
    return sentence(rule, facts, language())


def spoken(text: str) -> str:
    """A text of ours, such as what an error says, in the reader's language; any other as it is."""
    return said(text, language())
