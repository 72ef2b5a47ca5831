"""Sentences of the core in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxcore.words import sentence
from ui.words import language


def says(rule: str, facts: Mapping[str, Any]) -> str:
    return sentence(rule, facts, language())
