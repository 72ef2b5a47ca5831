"""A JSON list of texts as many documents: what exports of knowledge bases and of scrapers look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ctxcore.scenario import Record

TEXT = ("text", "content", "page_content", "body")
NAME = ("chunk_link", "url", "link", "source", "path", "id", "title")
HEADING = ("chunk_heading", "heading", "title")


def rows_of(text: str, name: str) -> tuple[Record, ...]:
    """Empty where the file is something else. A document is called by its address or id; its heading goes along."""
    if PurePath(name).suffix.lower() not in (".json", ".jsonl"):
        return ()
    try:
        rows = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    except (ValueError, RecursionError):
        return ()
    if not isinstance(rows, list) or not rows or not all(_is_row(row) for row in rows):
        return ()
    return tuple(_record(row, f"{name} {number}") for number, row in enumerate(rows, 1) if _first(row, TEXT).strip())


def _is_row(row: Any) -> bool:
    return isinstance(row, Mapping) and "role" not in row and any(isinstance(row.get(key), str) for key in TEXT)


def _record(row: Mapping[str, Any], otherwise: str) -> Record:
    heading = _first(row, HEADING)
    return Record("", _first(row, TEXT), _first(row, NAME) or otherwise, extra={"heading": heading} if heading else {})


def _first(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((str(row[key]) for key in keys if isinstance(row.get(key), str | int)), "")
