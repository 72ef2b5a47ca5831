"""Traces that `run --json` wrote, read again to be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctxcore.errors import InputError
from ctxcore.export import SCHEMA


@dataclass(frozen=True, slots=True)
class SavedItem:
    id: str
    text: str
    tokens: int


def load_trace(path: str) -> Mapping[str, Any]:
    """Raises InputError for a file that is no trace."""
    try:
        data = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError("diff-unreadable", path=path, error=error) from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not _are_stages(data.get("stages")):
        raise InputError("diff-no-trace", path=path, schema=SCHEMA)
    return data


def _are_stages(found: Any) -> bool:
    """Whether these are stages, each with a name and with items as `items_at` reads them."""
    if not isinstance(found, list) or not all(isinstance(stage, dict) and "name" in stage for stage in found):
        return False
    lists = [stage.get("items") for stage in found]
    items = [item for listed in lists if isinstance(listed, list) for item in listed]
    well_formed = all(isinstance(item, dict) and {"id", "text", "tokens"} <= item.keys() for item in items)
    return (
        bool(found)
        and all(isinstance(listed, list) for listed in lists)
        and well_formed
        and all(isinstance(item["tokens"], int) for item in items)
    )


def items_at(trace: Mapping[str, Any], stage: str | None) -> Sequence[SavedItem]:
    """The items after a stage; after the last one where none is named."""
    names = [found["name"] for found in trace["stages"]]
    if stage is not None and stage not in names:
        raise InputError("diff-no-stage-saved", name=stage, there=names)
    found = trace["stages"][names.index(stage) if stage else -1]
    return [SavedItem(str(item["id"]), str(item["text"]), int(item["tokens"])) for item in found["items"]]
