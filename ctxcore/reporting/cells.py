"""Cells of a CSV file that no spreadsheet takes for a formula."""

from __future__ import annotations

FORMULAS = tuple("=+-@\t\r\n＝＋－＠")  # what a cell begins with that a spreadsheet would execute


def harmless(text: str) -> str:
    """The text with an apostrophe before it, where it would act."""
    return f"'{text}" if text.startswith(FORMULAS) else text
